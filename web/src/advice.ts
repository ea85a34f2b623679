// What the page says of a position before a move is tried: the ways out of a
// check, which only the server knows, and the captures that the legal moves show.

import { notation, t } from './texts';
import type { Game, Move, Rules, SideName } from './types';

export interface Way {
  kind: 'capture' | 'flee' | 'block';
  moves: Move[];
}

/** What the server points at in a position; the parts that this page shows. */
export interface Insight {
  ways?: Way[];
  pins?: { pinned: string; pinner: string; king: string }[];
  targets?: Target[];
  perfect?: Perfect;
}

/** A piece that could be taken if the other side were to move. */
export interface Target {
  square: string;
  side: SideName;
  hanging?: boolean;
}

/** What perfect play brings to the side to move; plies to the end. */
export interface Perfect {
  value: 'win' | 'draw' | 'loss';
  plies?: number;
}

/**
 * Whether the page may point at more than the rules ask for: to a player in a
 * running game against the engine that is not rated. Against people, in rated
 * games and to those who watch it points at nothing.
 */
export const helpAllowed = (game: Game): boolean =>
  game.status === 'running' && !!game.your_side && !game.rated && game.seats.some((s) => s.kind === 'engine');

/** The squares of the hanging pieces of both sides. */
export const hangingSquares = (insight: Insight | undefined): string[] =>
  (insight?.targets ?? []).filter((p) => p.hanging).map((p) => p.square);

/** What hangs, what is attacked and holds, what is pinned; one sentence each. */
export function hangingSentences(insight: Insight | undefined, yours: string | undefined): string[] {
  if (!insight) return [];
  const squares = (keep: (p: Target) => boolean) => (insight.targets ?? []).filter(keep).map((p) => p.square).join(', ');
  const own = squares((p) => !!p.hanging && p.side === yours);
  const theirs = squares((p) => !!p.hanging && p.side !== yours);
  const held = squares((p) => !p.hanging);
  const pinned = (insight.pins ?? []).map((p) => p.pinned).join(', ');
  return [
    own || theirs ? '' : t.nothingHangs,
    own && t.hangingYours(own),
    theirs && t.hangingTheirs(theirs),
    held && t.attackedHeld(held),
    pinned && t.pinnedPieces(pinned),
  ].filter((sentence) => sentence !== '');
}

/** What perfect play brings, with the moves that the winner needs. */
export function perfectSentence(insight: Insight | undefined, side: SideName): string {
  const perfect = insight?.perfect;
  if (!perfect) return '';
  if (perfect.value === 'draw') return t.perfectDraw;
  const winner = perfect.value === 'win' ? side : side === 'x' ? 'o' : 'x';
  return t.perfectWin(t[winner], Math.ceil((perfect.plies ?? 0) / 2));
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
