// What the form of a new game asks the server for.

import type { NewGame } from '../../api';
import type { GameOptions, Rules } from '../../types';

export type Opponent = NewGame['opponent'];
export type Source = 'start' | 'position' | 'record';

export interface Settings {
  rules: Rules;
  opponent: Opponent;
  level: string;
  /** The levels of two engines. */
  levels: [string, string];
  invite: string;
  side: string;
  /** A preset such as "5+3", "custom", or empty for none. */
  clock: string;
  minutes: number;
  increment: number;
  /** How long the engine may think for a move, in seconds; undefined for its own measure. */
  moveSeconds: number | undefined;
  /** The draw rules of draughts; empty for the usual ones. */
  draws: string;
  rated: boolean;
  visible: boolean;
  options: GameOptions;
  source: Source;
  position: string;
  record: string;
  recordGame: number;
  /** Undefined for all of them. */
  recordPly: number | undefined;
}

export const presets = ['1+0', '5+3', '10+0', '30+0'];

export const defaults: Settings = {
  rules: 'tictactoe', opponent: 'engine', level: 'plies-2', levels: ['plies-2', 'plies-4'], invite: '', side: 'random',
  clock: '', minutes: 15, increment: 10, moveSeconds: undefined, draws: '', rated: true, visible: false, options: {}, source: 'start', position: '', record: '',
  recordGame: 1, recordPly: undefined,
};

/** Minutes and seconds of the clock; undefined for none. */
export function clockOf({ clock, minutes, increment }: Settings): { initial_ms: number; increment_ms: number } | undefined {
  if (!clock) return undefined;
  const [m, s] = clock === 'custom' ? [minutes, increment] : clock.split('+').map(Number);
  return { initial_ms: Math.round((m ?? 0) * 60_000), increment_ms: Math.round((s ?? 0) * 1000) };
}

/** Where each choice means something; a choice that does not is not sent. */
export const fits = {
  invite: (s: Settings) => s.opponent === 'person',
  side: (s: Settings) => s.opponent === 'engine' || s.opponent === 'person',
  takebacks: (s: Settings) => s.opponent !== 'engines',
  hints: (s: Settings) => s.rules !== 'tictactoe' && (s.opponent === 'engine' || s.opponent === 'person'),
  touch_move: (s: Settings) => s.rules !== 'tictactoe' && s.opponent !== 'engines',
  confirm_move: (s: Settings) => s.opponent !== 'engines',
  move_seconds: (s: Settings) => !s.clock && (s.opponent === 'engine' || s.opponent === 'engines'),
  record: (s: Settings) => s.rules !== 'tictactoe',
  draws: (s: Settings) => s.rules === 'draughts',
};

const optionNames = ['takebacks', 'hints', 'touch_move', 'confirm_move'] as const;

export function optionsOf(s: Settings): GameOptions {
  const chosen: GameOptions = {};
  for (const name of optionNames) if (s.options[name] && fits[name](s)) chosen[name] = true;
  return chosen;
}

/** Why the game cannot count for ratings, as the fields that the server would name. */
export function unrated(s: Settings, account: boolean): string[] {
  const options = optionsOf(s);
  const why: [string, boolean][] = [
    ['account', !account],
    ['options.hints', !!options.hints],
    ['options.takebacks', !!options.takebacks],
    ['opponent', s.opponent === 'self' || s.opponent === 'engines'],
    ['record', s.source === 'record' && fits.record(s)],
    ['start', s.source === 'position'],
  ];
  return why.filter(([, holds]) => holds).map(([field]) => field);
}

export function requestOf(s: Settings, account: boolean): NewGame {
  const clock = clockOf(s);
  const options = optionsOf(s);
  const invite = s.invite.trim();
  return {
    rules: s.rules,
    opponent: s.opponent,
    ...(s.opponent === 'engine' ? { level: s.rules === 'tictactoe' ? 'full' : s.level } : {}),
    ...(s.opponent === 'engines' ? { engines: s.levels.map((level) => ({ level })) } : {}),
    ...(fits.side(s) ? { side: s.side } : {}),
    ...(clock ? { clock } : {}),
    ...(s.moveSeconds && fits.move_seconds(s) ? { move_seconds: s.moveSeconds } : {}),
    ...(s.draws && fits.draws(s) ? { draws: s.draws } : {}),
    ...(s.rated && unrated(s, account).length === 0 ? { rated: true } : {}),
    ...(s.visible ? { visibility: 'public' } : {}),
    ...(fits.invite(s) && invite ? { invite } : {}),
    ...(Object.keys(options).length > 0 ? { options } : {}),
    ...(s.source === 'position' && s.position.trim() ? { start: s.position.trim() } : {}),
    ...(s.source === 'record' && fits.record(s)
      ? { record: { text: s.record, game: s.recordGame, ...(s.recordPly === undefined ? {} : { ply: s.recordPly }) } }
      : {}),
  };
}
