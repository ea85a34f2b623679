import { expect, it } from 'vitest';
import type { Game } from '../../types';
import { statusText } from './status';

const game = (extra: Partial<Game>): Game => ({
  id: 'g', rules: 'chess', status: 'running', version: 1, side: 'white',
  seats: [{ side: 'white', kind: 'person', account: 'a', name: 'ana' }, { side: 'black', kind: 'person', account: 'b', name: 'bia' }],
  ...extra,
});

it('says whose turn it is, to each side and to watchers', () => {
  expect(statusText(game({ your_side: 'white' }))).toBe('Sua vez');
  expect(statusText(game({ your_side: 'black' }))).toBe('Vez de: Brancas');
  expect(statusText(game({}))).toBe('Vez de: Brancas');
  expect(statusText(game({ your_side: 'white', opponent: 'self', check: ['e8'] }))).toBe('Xeque! Vez de: Brancas');
});

it('says who won, in the words of the one who reads', () => {
  const won: Partial<Game> = { status: 'finished', outcome: { winner: 'black', reason: 'checkmate' } };
  expect(statusText(game({ ...won, your_side: 'black' }))).toBe('Você venceu! (xeque-mate)');
  expect(statusText(game({ ...won, your_side: 'white' }))).toBe('Você perdeu. (xeque-mate)');
  expect(statusText(game({ ...won, your_side: 'white', opponent: 'self' }))).toBe('Vitória: Pretas. (xeque-mate)');
  expect(statusText(game({ status: 'finished', outcome: { reason: 'agreement' } }))).toBe('Empate. (comum acordo)');
});

it('says whom a game waits for, and why it never began', () => {
  const seats: Game['seats'] = [
    { side: 'white', kind: 'person', account: 'a', name: 'ana' }, { side: 'black', kind: 'invited', account: 'b', name: 'bia' },
  ];
  expect(statusText(game({ status: 'open', seats }), 'a')).toBe('Esperando bia aceitar o convite.');
  expect(statusText(game({ status: 'open', seats }), 'b')).toBe('ana convida você para esta partida.');
  expect(statusText(game({ status: 'cancelled', closed: { why: 'declined' } }))).toBe('O convite foi recusado.');
});
