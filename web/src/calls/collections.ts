// Calls about collections of records.

import { command, newKey, Problem, send, unread } from '../api';
import type { Rules } from '../types';

export interface Collection {
  id: string;
  rules: Rules;
  name: string;
  records?: number;
  created_at: string;
  /** Left out where it is somebody else's. */
  own?: boolean;
  /** The classes that see it; of somebody else's only one's own. */
  shares?: { class: string; name?: string }[];
}

export interface ImportNote {
  index: number;
  code: string;
  line?: number;
  column?: number;
  ply?: number;
  left_out?: boolean;
  record?: number;
  players?: string;
}

export interface Import {
  id: string;
  status: 'running' | 'finished' | 'broken_off';
  bytes?: number;
  read?: number;
  found?: number;
  added?: number;
  duplicates?: number;
  spoiled?: number;
  flawed?: number;
  over?: number;
  notes?: ImportNote[];
}

export interface RecordSummary {
  number: number;
  white?: string;
  black?: string;
  event?: string;
  site?: string;
  date?: string;
  result: string;
  eco?: string;
  opening?: string;
  plies?: number;
}

export interface FullRecord {
  record: RecordSummary;
  rules: Rules;
  tags?: { name: string; value?: string }[];
  start: string;
  plies?: { ply: number; move: string; notation: string; position: string }[];
  text: string;
}

/** What a search asks for; what is left out does not narrow it. */
export type Search = Partial<Record<'player' | 'side' | 'result' | 'eco' | 'opening' | 'position' | 'event' | 'from' | 'to', string>>;

/** A game that was played here. */
export interface FoundGame {
  game: string;
  record: Omit<RecordSummary, 'number'>;
  side?: 'white' | 'black';
}

/** What a search of one's own games asks for. */
export type GameSearch = Partial<Record<'opponent' | 'side' | 'outcome' | 'eco' | 'opening' | 'position' | 'from' | 'to', string>>;

const at = (id: string) => `/v1/collections/${id}`;

/** What is asked for, without what is empty. */
function queryOf(asked: Partial<Record<string, string>>, more: Record<string, string>): URLSearchParams {
  const query = new URLSearchParams(more);
  for (const [name, value] of Object.entries(asked)) if (value?.trim()) query.set(name, value.trim());
  return query;
}

export const collections = {
  list: async () => (await send<{ collections?: Collection[] }>('GET', '/v1/collections')).collections ?? [],
  /** What others share with one's classes. */
  shared: async () => (await send<{ collections?: Collection[] }>('GET', '/v1/collections?list=shared')).collections ?? [],
  share: async (id: string, group: string) => (await command<{ collection: Collection }>(`${at(id)}/share`, { class: group })).collection,
  unshare: async (id: string, group: string) => (await command<{ collection: Collection }>(`${at(id)}/unshare`, { class: group })).collection,
  /** Searches one's own games. */
  games: async (rules: Rules, search: GameSearch, before: string) => {
    const query = queryOf(search, { rules, ...(before ? { before } : {}) });
    const { games = [], next = '' } = await send<{ games?: FoundGame[]; next?: string }>('GET', `/v1/me/games/search?${query}`);
    return { games, next };
  },
  get: async (id: string) => (await send<{ collection: Collection }>('GET', at(id))).collection,
  create: async (rules: string, name: string) =>
    (await command<{ collection: Collection }>('/v1/collections', { rules, name })).collection,
  rename: async (id: string, name: string) => (await command<{ collection: Collection }>(`${at(id)}/rename`, { name })).collection,
  remove: (id: string) => command<unknown>(`${at(id)}/delete`, {}),
  imports: async (id: string) => (await send<{ imports?: Import[] }>('GET', `${at(id)}/imports`)).imports ?? [],
  /** Sends a file; the answer comes when all of it is read. */
  upload: async (id: string, file: File): Promise<Import> => {
    let response: Response;
    try {
      response = await fetch(`${at(id)}/imports`, {
        method: 'POST',
        headers: { Accept: 'application/json', 'Content-Type': 'application/octet-stream', 'Idempotency-Key': newKey() },
        credentials: 'same-origin',
        body: file,
      });
    } catch {
      throw new Problem('offline', 0);
    }
    return (await unread<{ import: Import }>(response)).import;
  },
  search: async (id: string, search: Search, after: number) => {
    const query = queryOf(search, { limit: '20', ...(after ? { after: String(after) } : {}) });
    const { records = [], next = 0 } = await send<{ records?: RecordSummary[]; next?: number }>('GET', `${at(id)}/records?${query}`);
    return { records, next };
  },
  record: (id: string, number: number) => send<FullRecord>('GET', `${at(id)}/records/${number}`),
  removeRecord: (id: string, number: number) => command<unknown>(`${at(id)}/records/${number}/delete`, {}),
};
