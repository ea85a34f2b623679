// Pieces glide to where they went, for those who have not asked for less motion.

import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Piece } from '../types';

/** How long a piece takes, in milliseconds. */
const duration = 160;
/** More pieces than these at once are another position, not a move: castling moves two. */
const most = 2;

/** Which pieces went where between two positions that one move lies between. */
export function moved(before: readonly Piece[], after: readonly Piece[]): { from: string; to: string }[] {
  const key = (p: Piece) => `${p.square} ${p.side} ${p.kind}`;
  const was = new Set(before.map(key));
  const is = new Set(after.map(key));
  const left = before.filter((p) => !is.has(key(p)));
  const come = after.filter((p) => !was.has(key(p)));
  if (come.length === 0 || come.length > most) return [];
  const moves: { from: string; to: string }[] = [];
  for (const piece of come) {
    const own = left.filter((p) => p.side === piece.side && p.square !== piece.square);
    // A piece that changed its kind by the move, a queen or a king now, is the only one of its side that left.
    const source = own.find((p) => p.kind === piece.kind) ?? (own.length === 1 ? own[0] : undefined);
    if (!source) return [];
    moves.push({ from: source.square, to: piece.square });
  }
  return moves;
}

const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** `skip` is true where the player's own hand has put the piece there. */
export function useMotion(table: RefObject<HTMLDivElement | null>, pieces: readonly Piece[], flipped: boolean, skip: () => boolean): void {
  const last = useRef<{ pieces: readonly Piece[]; flipped: boolean }>({ pieces, flipped });
  useLayoutEffect(() => {
    const before = last.current;
    last.current = { pieces, flipped };
    if (before.pieces === pieces || skip() || before.flipped !== flipped || still()) return;
    const box = (square: string) => table.current?.querySelector(`[data-square="${square}"]`);
    for (const { from, to } of moved(before.pieces, pieces)) {
      const [start, end] = [box(from)?.getBoundingClientRect(), box(to)?.getBoundingClientRect()];
      const piece = box(to)?.querySelector('.piece');
      if (!start || !end || !piece) continue;
      piece.animate(
        [{ transform: `translate(${start.x - end.x}px, ${start.y - end.y}px)` }, { transform: 'none' }],
        { duration, easing: 'ease-out' },
      );
    }
  }, [pieces, flipped]);
}
