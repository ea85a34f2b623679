// Calls to the gateway: JSON in and out, problems as errors with a stable code,
// and commands that carry one key however often they are sent.

import type { Insight } from './advice';
import { serverTime } from './servertime';
import type { About, Account, Game, GameOptions, Lesson, RatingChange, RecordedGame, Rules, Ruling } from './types';

export interface ProblemField {
  field: string;
  code?: string;
  detail?: string;
}

/** A refusal by the server, or "offline" when it could not be reached. */
export class Problem extends Error {
  constructor(
    readonly code: string,
    readonly status: number,
    readonly detail = '',
    readonly fields: ProblemField[] = [],
    readonly squares: string[] = [],
    readonly lessons: string[] = [],
    readonly classes: string[] = [],
  ) {
    super(code);
  }
}

/** Random enough for a key, also where crypto.randomUUID needs https. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}

export async function send<T>(method: string, path: string, body?: unknown, key?: string): Promise<T> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (key) headers['Idempotency-Key'] = key;
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers,
      credentials: 'same-origin',
      signal: AbortSignal.timeout(15_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new Problem('offline', 0);
  }
  serverTime.observe(response.headers.get('Date'));
  return unread<T>(response);
}

/** What an answer holds that nobody has read yet; a problem is thrown. */
export async function unread<T>(response: Response): Promise<T> {
  const text = await response.text();
  let value: Record<string, unknown> = {};
  try {
    value = text ? (JSON.parse(text) as Record<string, unknown>) : {};
  } catch {
    if (response.ok) throw new Problem('internal', response.status);
  }
  if (!response.ok) {
    throw new Problem(
      typeof value.code === 'string' ? value.code : 'internal',
      response.status,
      typeof value.detail === 'string' ? value.detail : '',
      (value.fields as ProblemField[] | undefined) ?? [],
      (value.squares as string[] | undefined) ?? [],
      (value.lessons as string[] | undefined) ?? [],
      (value.classes as string[] | undefined) ?? [],
    );
  }
  return value as T;
}

const transient = (problem: unknown) =>
  problem instanceof Problem && (problem.code === 'offline' || problem.status === 502 || problem.code === 'unavailable');

/** Reads a text. */
export async function text(path: string): Promise<string> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: 'same-origin' });
  } catch {
    throw new Problem('offline', 0);
  }
  if (!response.ok) return unread<string>(response);
  return response.text();
}

/** Sends a command, again with the same key where nobody can know whether it arrived. */
export async function command<T>(path: string, body: unknown, method = 'POST'): Promise<T> {
  const key = newKey();
  for (let attempt = 0; ; attempt++) {
    try {
      return await send<T>(method, path, body, key);
    } catch (problem) {
      if (attempt >= 4 || !transient(problem)) throw problem;
      await new Promise((resolve) => setTimeout(resolve, 300 * 2 ** attempt));
    }
  }
}

export interface NewGame {
  rules: Rules;
  opponent: 'engine' | 'person' | 'self' | 'engines';
  level?: string;
  side?: string;
  clock?: { initial_ms: number; increment_ms: number };
  rated?: boolean;
  visibility?: string;
  invite?: string;
  options?: GameOptions;
  move_seconds?: number;
  draws?: string;
  start?: string;
  record?: { text: string; game?: number; ply?: number };
  replaces?: { game: string; how: string };
  engines?: { level: string }[];
}

export type GameList = 'mine' | 'open' | 'invited' | 'live';

/** A game that is over, and the next one of the match where it has begun. */
export interface Rematch {
  game: Game;
  next?: Game;
}

export interface Registration {
  login: string;
  password: string;
  first_name: string;
  surname: string;
  birth_date: string;
  sex: string;
  policy: string;
}

type WithGame = { game: Game };
const gameOf = async (promise: Promise<WithGame>) => (await promise).game;

export const api = {
  about: () => send<About>('GET', '/v1/about'),
  me: async (): Promise<Account | undefined> => {
    try {
      return (await send<{ account: Account }>('GET', '/v1/me')).account;
    } catch (problem) {
      if (problem instanceof Problem && (problem.status === 401 || problem.status === 403)) return undefined;
      throw problem;
    }
  },
  ratingChanges: async () => (await send<{ changes?: RatingChange[] }>('GET', '/v1/me/ratings')).changes ?? [],
  lessons: async () => (await send<{ lessons?: Lesson[] }>('GET', '/v1/lessons')).lessons ?? [],
  register: async (form: Registration) => (await command<{ account: Account }>('/v1/accounts', form)).account,
  /** `shared` for a computer that others use too: its session is a short one. */
  logIn: async (login: string, password: string, shared = false, second_factor = '') =>
    (await send<{ account: Account }>('POST', '/v1/sessions', {
      login, password, ...(shared ? { shared } : {}), ...(second_factor ? { second_factor } : {}),
    })).account,
  logOut: () => send<unknown>('DELETE', '/v1/sessions/current'),
  create: (game: NewGame) => gameOf(command<WithGame>('/v1/games', game)),
  accept: (id: string) => gameOf(command<WithGame>(`/v1/games/${id}/accept`, {})),
  cancel: (id: string) => gameOf(command<WithGame>(`/v1/games/${id}/cancel`, {})),
  game: (id: string) => gameOf(send<WithGame>('GET', `/v1/games/${id}`)),
  games: async (list: GameList, status = '') =>
    (await send<{ games?: Game[] }>('GET', `/v1/games?list=${list}${status ? `&status=${status}` : ''}`)).games ?? [],
  decline: (id: string, reason: string) => gameOf(command<WithGame>(`/v1/games/${id}/decline`, { reason })),
  abort: (id: string) => gameOf(command<WithGame>(`/v1/games/${id}/abort`, {})),
  move: (id: string, move: string, turn: number) => gameOf(command<WithGame>(`/v1/games/${id}/moves`, { move, turn })),
  /** What the rules hold in the position of a game; no engine is asked. */
  explain: async ({ position }: Game): Promise<Insight> =>
    position ? (await send<{ insight: Insight }>('POST', '/v1/rules/explain', { position })).insight : {},
  /** The position of a game after some of its moves. */
  replay: async (position: Ruling['position'], moves: string[]): Promise<Ruling> =>
    (await send<{ ruling: Ruling }>('POST', '/v1/rules/replay', { position, moves })).ruling,
  /** What a position holds that somebody typed. */
  inspect: async (rules: Rules, text: string): Promise<Ruling> =>
    (await send<{ ruling: Ruling }>('POST', '/v1/rules/inspect', { position: { rules, text } })).ruling,
  /** What a pasted text holds: PGN or PDN, up to 100 games. */
  readRecord: async (rules: Rules, text: string): Promise<RecordedGame[]> =>
    (await send<{ games?: RecordedGame[] }>('POST', '/v1/rules/records', { rules, text, positions: true })).games ?? [],
  resign: (id: string) => gameOf(command<WithGame>(`/v1/games/${id}/resign`, {})),
  offerDraw: (id: string, turn: number) => gameOf(command<WithGame>(`/v1/games/${id}/draw-offer`, { turn })),
  answerDraw: (id: string, turn: number, accept: boolean) =>
    gameOf(command<WithGame>(`/v1/games/${id}/draw-answer`, { turn, accept })),
  claimDraw: (id: string, turn: number) => gameOf(command<WithGame>(`/v1/games/${id}/draw-claim`, { turn })),
  offerTakeback: (id: string, turn: number) => gameOf(command<WithGame>(`/v1/games/${id}/takeback-offer`, { turn })),
  answerTakeback: (id: string, turn: number, accept: boolean) =>
    gameOf(command<WithGame>(`/v1/games/${id}/takeback-answer`, { turn, accept })),
  touch: (id: string, square: string, turn: number) => gameOf(command<WithGame>(`/v1/games/${id}/touch`, { square, turn })),
  claimWin: (id: string, result: 'win' | 'draw') => gameOf(command<WithGame>(`/v1/games/${id}/claim-win`, { result })),
  giveTime: (id: string) => gameOf(command<WithGame>(`/v1/games/${id}/give-time`, {})),
  adjudicate: (id: string, result: string, note: string) =>
    gameOf(command<WithGame>(`/v1/games/${id}/adjudicate`, { result, note })),
  suspend: (id: string) => gameOf(command<WithGame>(`/v1/games/${id}/suspend`, {})),
  resume: (id: string) => gameOf(command<WithGame>(`/v1/games/${id}/resume`, {})),
  rematch: (id: string) => command<Rematch>(`/v1/games/${id}/rematch`, {}),
  answerRematch: (id: string, accept: boolean) => command<Rematch>(`/v1/games/${id}/rematch-answer`, { accept }),
};
