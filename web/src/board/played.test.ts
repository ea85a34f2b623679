import { expect, it } from 'vitest';
import type { Move, Piece } from '../types';
import { played } from './Board';

const piece = (square: string, side: Piece['side'], kind: string): Piece => ({ square, side, kind });
const move = (extra: Partial<Move>): Move => ({ text: '', notation: '', to: '', path: [], ...extra });

it('shows a chosen move as if it were played', () => {
  const men = [piece('c3', 'white', 'man'), piece('d4', 'black', 'man')];
  expect(played(men, undefined, 'white')).toBe(men);
  expect(played(men, move({ from: 'c3', to: 'e5', captures: ['d4'] }), 'white')).toEqual([piece('e5', 'white', 'man')]);
  expect(played([piece('e7', 'white', 'pawn')], move({ from: 'e7', to: 'e8', promotion: 'n' }), 'white')).toEqual([
    piece('e8', 'white', 'knight'),
  ]);
  expect(played([], move({ to: 'b2' }), 'o')).toEqual([piece('b2', 'o', 'mark')]);
});

it('a king that comes back to where it began is still there', () => {
  const men = [piece('c3', 'white', 'king'), piece('d4', 'black', 'man')];
  expect(played(men, move({ from: 'c3', to: 'c3', captures: ['d4'] }), 'white')).toEqual([piece('c3', 'white', 'king')]);
});
