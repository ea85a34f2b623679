// What the page says of a position before a move is tried: the ways out of a
// check, which only the server knows, and the captures that the legal moves show.

import { notation, t } from './texts';
import type { Move, Rules } from './types';

export interface Way {
  kind: 'capture' | 'flee' | 'block';
  moves: Move[];
}

/** What the server points at in a position; the parts that this page shows. */
export interface Insight {
  ways?: Way[];
  pins?: { pinned: string; pinner: string; king: string }[];
}

/** Why a piece has no legal move though no check asks for another. */
export function whyStuck(square: string, insight: Insight): { code: string; squares: string[] } {
  const pin = insight.pins?.find((p) => p.pinned === square);
  return pin ? { code: 'pinned', squares: [pin.pinner, pin.king] } : { code: 'piece_stuck', squares: [square] };
}

/** One sentence a way out of check, with the moves in Portuguese notation. */
export function waySentences(rules: Rules, insight: Insight | undefined): string[] {
  return (insight?.ways ?? []).map((way) =>
    t.ways[way.kind](way.moves.map((m) => notation(rules, m.notation)).join(', ')));
}

export interface Compulsion {
  /** The pieces that must capture, sorted. */
  squares: string[];
  /** How many pieces each capture takes; the law of the majority makes it one number. */
  pieces: number;
}

/** What must be captured; undefined where nothing can be. */
export function compulsion(rules: Rules, moves: readonly Move[]): Compulsion | undefined {
  const pieces = moves[0]?.captures?.length ?? 0;
  if (rules !== 'draughts' || pieces === 0) return undefined;
  return { squares: [...new Set(moves.map((m) => m.from ?? ''))].sort(), pieces };
}

export const compulsionSentence = ({ squares, pieces }: Compulsion): string =>
  `${t.mustCapture(squares.join(', '))}${pieces > 1 ? ` ${t.majority(pieces)}` : ''}`;
