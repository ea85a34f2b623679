import { expect, test } from 'vitest';
import type { Piece } from '../types';
import { moved } from './motion';

const at = (text: string): Piece[] => text.split(' ').map((one) => {
  const [square = '', side = '', kind = ''] = one.split(':');
  return { square, side: side as Piece['side'], kind };
});

test('a move, a capture, castling and a promotion are seen', () => {
  expect(moved(at('e2:white:pawn e8:black:king'), at('e4:white:pawn e8:black:king'))).toEqual([{ from: 'e2', to: 'e4' }]);
  expect(moved(at('c3:white:man d4:black:man'), at('e5:white:man'))).toEqual([{ from: 'c3', to: 'e5' }]);
  expect(moved(at('e1:white:king h1:white:rook'), at('g1:white:king f1:white:rook')))
    .toEqual([{ from: 'e1', to: 'g1' }, { from: 'h1', to: 'f1' }]);
  expect(moved(at('b7:white:pawn a8:black:rook'), at('a8:white:queen'))).toEqual([{ from: 'b7', to: 'a8' }]);
});

test('a mark that appears and another position do not glide', () => {
  expect(moved(at('a1:x:mark'), at('a1:x:mark b2:o:mark'))).toEqual([]);
  expect(moved(at('a1:white:rook b1:white:knight c1:white:bishop'), at('a5:white:rook b5:white:knight c5:white:bishop'))).toEqual([]);
  expect(moved(at('a1:white:rook'), at('a1:white:rook'))).toEqual([]);
});
