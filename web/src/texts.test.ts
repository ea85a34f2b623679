import { expect, it } from 'vitest';
import { notation, say } from './texts';

it('writes chess moves with Portuguese letters', () => {
  expect(notation('chess', 'Nf3')).toBe('Cf3');
  expect(notation('chess', 'exd8=Q+')).toBe('exd8=D+');
  expect(notation('chess', 'Rxb7')).toBe('Txb7');
  expect(notation('chess', 'O-O-O')).toBe('O-O-O');
  expect(notation('draughts', 'c3xe5')).toBe('c3xe5');
});

it('falls back to the code where it knows no sentence', () => {
  expect(say('stale_turn')).toContain('nova posição');
  expect(say('brand_new')).toBe('brand_new');
});
