// Calls about tournaments. Every command answers with the whole tournament.

import { command, send } from '../api';
import type { Rules } from '../types';

export interface Player {
  number: number;
  account?: string;
  level?: string;
  name?: string;
  rating?: number;
  status: 'invited' | 'in' | 'withdrawn';
  seed?: number;
}

export interface Board {
  number: number;
  white: number;
  /** Left out where white has no opponent. */
  black?: number;
  result?: string;
  decided?: boolean;
  games?: { id: string; reversed?: boolean; result?: string }[];
}

export interface Round {
  number: number;
  paired_at: string;
  deadline?: string;
  boards?: Board[];
}

export interface Standing {
  place: number;
  player: number;
  points?: number;
  games?: number;
  wins?: number;
  breaks?: number[];
}

export type Kind = 'round_robin' | 'double_round_robin' | 'swiss' | 'knockout';

export interface Tournament {
  id: string;
  name: string;
  rules: Rules;
  kind: Kind;
  status: 'open' | 'running' | 'finished' | 'cancelled';
  entry: 'invited' | 'class' | 'open';
  clock?: { initial_ms: number; increment_ms?: number };
  rated?: boolean;
  rounds?: number;
  paired?: number;
  games?: number;
  tie?: string;
  auto?: boolean;
  round_minutes?: number;
  max_players?: number;
  late?: boolean;
  version: number;
  created_at: string;
  players?: Player[];
  played?: Round[];
  table?: Standing[];
  breaks?: string[];
  organiser?: boolean;
  /** The organiser's log-in; left out in tournaments of before it was kept. */
  organiser_name?: string;
  /** The number of the one who looks; left out for who does not play. */
  you?: number;
}

export interface NewTournament {
  name: string;
  rules: string;
  kind: Kind;
  entry: string;
  clock?: { initial_ms: number; increment_ms: number };
  rated: boolean;
  auto: boolean;
  rounds?: number;
  late?: boolean;
  games?: number;
  tie?: string;
  round_minutes?: number;
  max_players?: number;
}

/** Who is added: some of these. */
export interface NewPlayers {
  accounts?: string[];
  login?: string;
  levels?: string[];
}

export type ListName = 'playing' | 'organising' | 'joinable' | 'pupils';

/** How many tournaments a page of a list has. */
export const pageSize = 20;

type WithTournament = { tournament: Tournament };
const at = (id: string) => `/v1/tournaments/${id}`;
const done = async (path: string, body: unknown) => (await command<WithTournament>(path, body)).tournament;

export const tournaments = {
  list: async (list: ListName, before = '') => {
    const query = new URLSearchParams({ list, limit: String(pageSize) });
    if (before) query.set('before', before);
    return (await send<{ tournaments?: Tournament[] }>('GET', `/v1/tournaments?${query}`)).tournaments ?? [];
  },
  get: async (id: string) => (await send<WithTournament>('GET', at(id))).tournament,
  create: (made: NewTournament) => done('/v1/tournaments', made),
  join: (id: string) => done(`${at(id)}/join`, {}),
  add: (id: string, players: NewPlayers) => done(`${at(id)}/players`, players),
  /** Takes a player out by its number; without one, who asks. */
  withdraw: (id: string, player = 0) => done(`${at(id)}/withdraw`, player ? { player } : {}),
  start: (id: string) => done(`${at(id)}/start`, {}),
  pair: (id: string) => done(`${at(id)}/pair`, {}),
  decide: (id: string, ruling: { round: number; board: number; result: string; played: boolean }) => done(`${at(id)}/decide`, ruling),
  cancel: (id: string) => done(`${at(id)}/cancel`, {}),
  tableFile: (id: string) => `${at(id)}/table.csv`,
};
