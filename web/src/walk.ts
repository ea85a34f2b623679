// Walking the legal paths that the server sent. The client knows no rules: a
// click is right exactly when some path goes on there.

import type { Move } from './types';

export interface Walk {
  /** Squares chosen so far; empty before the first. */
  readonly prefix: readonly string[];
}

export const start: Walk = { prefix: [] };

export type Step =
  | { kind: 'walking'; walk: Walk }
  | { kind: 'chosen'; moves: Move[] }
  | { kind: 'released' }
  | { kind: 'refused'; from: string | undefined; to: string };

/** The moves whose path begins with the squares chosen so far. */
export function candidates(moves: readonly Move[], prefix: readonly string[]): Move[] {
  return moves.filter((m) => prefix.length <= m.path.length && prefix.every((square, i) => m.path[i] === square));
}

/** The squares where the walk may go on. */
export function targets(moves: readonly Move[], prefix: readonly string[]): Set<string> {
  const squares = new Set<string>();
  for (const m of candidates(moves, prefix)) {
    const next = m.path[prefix.length];
    if (next !== undefined) squares.add(next);
  }
  return squares;
}

/**
 * One more square. Clicking the piece that was picked up puts it down again;
 * clicking another piece that may move picks that one up instead; clicking the
 * end of a path that can only mean one move plays it at once.
 */
export function step(moves: readonly Move[], walk: Walk, square: string): Step {
  const { prefix } = walk;
  const path = [...prefix, square];
  const going = candidates(moves, path);
  if (going.length > 0) {
    const done = going.filter((m) => m.path.length === path.length);
    if (done.length > 0) return { kind: 'chosen', moves: done };
    return { kind: 'walking', walk: { prefix: path } };
  }
  if (prefix.length > 0) {
    const ending = candidates(moves, prefix).filter((m) => m.path[m.path.length - 1] === square);
    const first = ending[0];
    if (first && ending.every((m) => sameSquares(m.path, first.path))) return { kind: 'chosen', moves: ending };
    if (square === prefix[0] || square === prefix[prefix.length - 1]) return { kind: 'released' };
    if (candidates(moves, [square]).length > 0) return { kind: 'walking', walk: { prefix: [square] } };
  }
  return { kind: 'refused', from: prefix[0], to: square };
}

function sameSquares(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((square, i) => b[i] === square);
}
