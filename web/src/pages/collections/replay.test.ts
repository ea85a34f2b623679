import { expect, it } from 'vitest';
import type { FullRecord } from '../../calls/collections';
import { asGame, sideIn, squaresIn } from './replay';

it('finds the squares of a move in every notation of a record', () => {
  expect(squaresIn('e2e4')).toEqual(['e2', 'e4']);
  expect(squaresIn('e7e8q')).toEqual(['e7', 'e8']);
  expect(squaresIn('c3xe5xg7')).toEqual(['c3', 'e5', 'g7']);
});

it('tells who moves first in a position', () => {
  expect(sideIn('chess', '8/8/8/4k3/8/8/4K3/8 b - - 0 1')).toBe('black');
  expect(sideIn('chess', '8/8/8/4k3/8/8/4K3/8 w - - 0 1')).toBe('white');
  expect(sideIn('draughts', 'B:Wc3:Bf6')).toBe('black');
  expect(sideIn('draughts', 'W:Wc3:Bf6')).toBe('white');
});

it('gives the moves of a record to their sides', () => {
  const full: FullRecord = {
    record: { number: 7, result: '1-0' }, rules: 'chess', start: '8/8/8/4k3/8/8/4K3/8 b - - 0 1', text: '',
    plies: [{ ply: 1, move: 'e5e6', notation: 'Ke6', position: '' }, { ply: 2, move: 'e2e3', notation: 'Ke3', position: '' }],
  };
  expect(asGame(full).plies?.map((p) => [p.side, p.move.from, p.move.to])).toEqual([['black', 'e5', 'e6'], ['white', 'e2', 'e3']]);
});
