// What the form of a new tournament asks the server for.

import type { Kind, NewTournament } from '../../calls/tournaments';
import type { Typed } from '../forms';
import { clockOf, defaults } from '../lobby/request';

/** A number as people type it, with a comma or a point; -1 for what is none, which the server refuses. */
const number = (text: string): number => {
  const n = Number(text.trim().replace(',', '.'));
  return Number.isFinite(n) && n >= 0 ? n : -1;
};
const whole = (text: string) => Math.trunc(number(text));

export function requestOf(value: Typed): NewTournament {
  const kind = (value('kind') === 'round_robin' && value('cycles') === 'twice' ? 'double_round_robin' : value('kind')) as Kind;
  const clock = clockOf({ ...defaults, clock: value('clock'), minutes: number(value('minutes')), increment: number(value('increment')) });
  return {
    name: value('name').trim(), rules: value('rules'), kind, entry: value('entry'),
    ...(clock ? { clock } : {}),
    rated: value('rated') === 'on', auto: value('auto') === 'on',
    ...(kind === 'swiss' ? { rounds: whole(value('rounds')), late: value('late') === 'on' } : {}),
    ...(kind === 'knockout' ? { games: whole(value('games')), tie: value('tie') } : {}),
    round_minutes: whole(value('round_minutes')), max_players: whole(value('max_players')),
  };
}
