import { expect, it } from 'vitest';
import { defaults, requestOf, unrated, type Settings } from './request';

const made = (extra: Partial<Settings>, account = true) => requestOf({ ...defaults, rules: 'chess', ...extra }, account);

it('asks for no more than what was chosen', () => {
  expect(made({})).toEqual({ rules: 'chess', opponent: 'engine', level: 'plies-2', side: 'random', rated: true });
  expect(made({}, false)).toEqual({ rules: 'chess', opponent: 'engine', level: 'plies-2', side: 'random' });
});

it('asks for each kind of opponent', () => {
  expect(made({ opponent: 'person', invite: ' bia ', clock: '5+3', visible: true })).toEqual({
    rules: 'chess', opponent: 'person', side: 'random', rated: true, invite: 'bia', visibility: 'public',
    clock: { initial_ms: 300_000, increment_ms: 3_000 },
  });
  expect(made({ opponent: 'self', invite: 'bia', clock: 'custom', minutes: 0.5, increment: 0 })).toEqual({
    rules: 'chess', opponent: 'self', clock: { initial_ms: 30_000, increment_ms: 0 },
  });
  expect(made({ opponent: 'engines', options: { takebacks: true, touch_move: true } })).toEqual({
    rules: 'chess', opponent: 'engines', engines: [{ level: 'plies-2' }, { level: 'plies-4' }],
  });
});

it('bounds the engine where no clock does', () => {
  expect(made({ moveSeconds: 5 })).toMatchObject({ move_seconds: 5 });
  expect(made({ moveSeconds: 5, clock: '5+3' })).not.toHaveProperty('move_seconds');
  expect(made({ moveSeconds: 5, opponent: 'self' })).not.toHaveProperty('move_seconds');
});

it('asks for draw rules in draughts alone', () => {
  expect(made({ rules: 'draughts', draws: 'fmjd64' })).toMatchObject({ draws: 'fmjd64' });
  expect(made({ rules: 'draughts' })).not.toHaveProperty('draws');
  expect(made({ draws: 'fmjd64' })).not.toHaveProperty('draws');
});

it('sends options only where they mean something', () => {
  expect(made({ options: { touch_move: true, confirm_move: true, hints: false } })).toMatchObject({
    options: { touch_move: true, confirm_move: true }, rated: true,
  });
  expect(made({ rules: 'tictactoe', options: { touch_move: true, hints: true } })).not.toHaveProperty('options');
});

it('begins from a position or from a record', () => {
  expect(made({ source: 'position', position: ' 8/8/8/8 ' })).toMatchObject({ start: '8/8/8/8' });
  expect(made({ source: 'record', record: '1. e4', recordPly: 0 })).toMatchObject({ record: { text: '1. e4', game: 1, ply: 0 } });
  expect(made({ source: 'record', record: '1. e4' }).record).toEqual({ text: '1. e4', game: 1 });
});

it('knows why a game cannot be rated, and then does not ask for it', () => {
  const s: Settings = { ...defaults, rules: 'chess', options: { hints: true, takebacks: true }, source: 'position' };
  expect(unrated(s, true)).toEqual(['options.hints', 'options.takebacks', 'start']);
  expect(requestOf(s, true)).not.toHaveProperty('rated');
  expect(unrated({ ...defaults, opponent: 'self', rules: 'chess' }, false)).toEqual(['account', 'opponent']);
});
