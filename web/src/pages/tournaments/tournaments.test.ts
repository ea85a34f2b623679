import { expect, it } from 'vitest';
import type { Board, Tournament } from '../../calls/tournaments';
import { figure, loginsIn, nameOf, newer, ownGame, resultOf, seesGames } from './names';
import { requestOf } from './request';

const form = (fields: Record<string, string>) => requestOf((name) => fields[name] ?? '');
const base = { name: ' Copa ', rules: 'chess', entry: 'open', clock: '', round_minutes: '0' };

it('asks only for what fits the kind', () => {
  expect(form({ ...base, kind: 'round_robin', cycles: 'twice', auto: 'on', rounds: '5', games: '2' })).toEqual({
    name: 'Copa', rules: 'chess', kind: 'double_round_robin', entry: 'open', rated: false, auto: true, round_minutes: 0, max_players: 0,
  });
  expect(form({ ...base, kind: 'swiss', rounds: '5', late: 'on', rated: 'on' })).toMatchObject({ kind: 'swiss', rounds: 5, late: true, rated: true });
  expect(form({ ...base, kind: 'knockout', games: '4', tie: 'seed' })).toMatchObject({ kind: 'knockout', games: 4, tie: 'seed' });
});

it('sends the clock in milliseconds, and what is no number as one that is refused', () => {
  expect(form({ ...base, kind: 'swiss', clock: '5+3' }).clock).toEqual({ initial_ms: 300_000, increment_ms: 3000 });
  expect(form({ ...base, kind: 'swiss', clock: 'custom', minutes: '7,5', increment: '2' }).clock).toEqual({ initial_ms: 450_000, increment_ms: 2000 });
  expect(form({ ...base, kind: 'swiss', rounds: 'cinco' }).rounds).toBe(-1);
});

it('reads log-ins with spaces, commas and lines between, each once', () => {
  expect(loginsIn(' ana, bia;caio\nana ')).toEqual(['ana', 'bia', 'caio']);
  expect(loginsIn(' , ')).toEqual([]);
});

it('says results and names', () => {
  const board = (more: Partial<Board>): Board => ({ number: 1, white: 1, black: 2, ...more });
  expect(resultOf(board({}))).toBe('jogando');
  expect(resultOf(board({ result: '1/2-1/2' }))).toBe('½–½');
  expect(resultOf(board({ result: '1-0', decided: true }))).toBe('1–0 (decidido)');
  expect(resultOf({ number: 1, white: 1, result: 'bye', decided: true })).toBe('passa (vale vitória)');
  expect(nameOf({ number: 1, level: 'plies-2', status: 'in' })).toBe('Computador: Principiante');
  expect(nameOf({ number: 1, name: 'ana', status: 'in' })).toBe('ana');
  expect(nameOf({ number: 1, name: 'deleted', status: 'withdrawn' })).toBe('jogador removido');
  expect(nameOf(undefined)).toBe('—');
  expect(figure(2.5)).toBe('2,5');
});

const one = (version: number, more: Partial<Tournament> = {}): Tournament => ({
  id: 't', name: '', rules: 'chess', kind: 'swiss', status: 'running', entry: 'open', version, created_at: '', ...more,
});

it('keeps the newest state and who looks at it', () => {
  const held = one(3, { organiser: true, you: 1 });
  expect(newer(held, one(2), 'ana')).toBe(held);
  const players = [{ number: 1, account: 'bia', status: 'in' as const }, { number: 2, account: 'ana', status: 'in' as const }];
  expect(newer(held, one(4, { players }), 'ana')).toEqual(one(4, { players, organiser: true, you: 2 }));
  // Who has left before the start is no player any more.
  expect(newer(one(3, { you: 2 }), one(4, { players: [] }), 'ana')).toEqual(one(4, { players: [] }));
  expect(newer(one(9, { id: 'other', organiser: true }), one(4), 'ana')).toEqual(one(4));
});

it('shows games to those who may see them', () => {
  const of = (status: 'in' | 'invited' | 'withdrawn') => one(1, { you: 1, players: [{ number: 1, status }] });
  expect([of('in'), of('withdrawn'), one(1, { organiser: true })].map((x) => seesGames(x))).toEqual([true, true, true]);
  expect([of('invited'), one(1)].map((x) => seesGames(x))).toEqual([false, false]);
  expect([['teacher'], ['operator'], ['learner']].map((roles) => seesGames(one(1), roles))).toEqual([true, true, false]);
});

it('finds the game that waits for who looks', () => {
  const board = (number: number, white: number, black: number, games: Board['games'], result?: string): Board =>
    ({ number, white, black, ...(games ? { games } : {}), ...(result ? { result } : {}) });
  const one = { you: 2, played: [
    { number: 1, paired_at: '', boards: [board(1, 2, 3, [{ id: 'a' }], '1-0')] },
    { number: 2, paired_at: '', boards: [board(1, 4, 3, [{ id: 'b' }]), board(2, 1, 2, [{ id: 'c', result: '1-0' }, { id: 'd' }])] },
  ] } as unknown as Tournament;
  expect(ownGame(one)).toEqual({ id: 'd', other: 1 });
  expect(ownGame({ ...one, you: 3 })).toEqual({ id: 'b', other: 4 });
  expect(ownGame({ ...one, you: 5 })).toBeUndefined();
  const { you: _, ...watched } = one;
  expect(ownGame(watched)).toBeUndefined();
});
