// Calls about one's own account: sessions, the password, keys of access, paired
// devices, ratings, and the people one is related to.

import { command, send } from '../api';
import type { Account } from '../types';

export interface Session {
  id: string;
  current?: boolean;
  kind: string;
  device?: string;
  network?: string;
  created_at: string;
  used_at?: string;
}

export interface Token {
  id: string;
  name: string;
  scopes: string[];
  created_at: string;
  expires_at: string;
  used_at?: string;
}

export interface BoardDevice {
  id: string;
  name: string;
  created_at: string;
}

export interface Pairing {
  kind: 'board' | 'shared_pc';
  name?: string;
  network?: string;
  created_at: string;
  expires_at: string;
}

export interface StartedPairing {
  device_code: string;
  user_code: string;
  expires_at: string;
  interval_s: number;
}

export interface RatingPoint {
  day: string;
  rating: number;
  deviation: number;
  changes?: number;
}

export interface RelatedPerson {
  account: string;
  login: string;
  name?: string;
  /** Of a child: whether public games are allowed. */
  public_games?: boolean;
}

/** A person as an operator finds them. */
export interface FoundPerson {
  account: string;
  login: string;
  roles?: string[];
  made_by_class?: boolean;
  second_factor?: boolean;
  minor?: boolean;
}

/** What the form of a registration asks, for those who may correct it. */
export interface PersonDetails {
  account: string;
  login: string;
  first_name?: string;
  surname?: string;
  birth_date?: string;
  sex?: string;
  made_by_class?: boolean;
  protected?: boolean;
}

export interface Relations {
  teachers?: RelatedPerson[];
  guardians?: RelatedPerson[];
  children?: RelatedPerson[];
  protected?: boolean;
  public_games?: boolean;
}

export interface Code {
  /** Empty when the command was sent before and its code was used. */
  code?: string;
  expires_at: string;
}

const code = (text: string) => encodeURIComponent(text.trim());

export const accounts = {
  sessions: async () => (await send<{ sessions?: Session[] }>('GET', '/v1/me/sessions')).sessions ?? [],
  endSession: (id: string) => send<unknown>('DELETE', `/v1/me/sessions/${id}`),
  endOthers: async () => (await send<{ ended?: number }>('POST', '/v1/me/sessions/end-others', {})).ended ?? 0,
  changePassword: (old_password: string, new_password: string, revoke_tokens: boolean) =>
    command<unknown>('/v1/me/password', { old_password, new_password, revoke_tokens }),
  tokens: async () => (await send<{ tokens?: Token[] }>('GET', '/v1/me/tokens')).tokens ?? [],
  createToken: (name: string, scopes: string[], days: number) =>
    command<{ token: Token; text?: string }>('/v1/me/tokens', { name, scopes, days }),
  revokeToken: (id: string) => send<unknown>('DELETE', `/v1/me/tokens/${id}`),
  boards: async () => (await send<{ boards?: BoardDevice[] }>('GET', '/v1/me/boards')).boards ?? [],
  revokeBoard: (id: string) => send<unknown>('DELETE', `/v1/me/boards/${id}`),
  startPairing: (name: string) => send<StartedPairing>('POST', '/v1/pairings', { kind: 'shared_pc', name }),
  pollPairing: (device_code: string) =>
    send<{ status: 'pending' | 'confirmed' | 'denied'; interval_s?: number }>('POST', '/v1/pairings/poll', { device_code }),
  pairing: (user: string) => send<Pairing>('GET', `/v1/pairings/${code(user)}`),
  confirmPairing: (user: string, pairing: { kind: string; minutes?: number; name?: string }) =>
    command<unknown>(`/v1/pairings/${code(user)}/confirm`, pairing),
  denyPairing: (user: string) => send<unknown>('POST', `/v1/pairings/${code(user)}/deny`, {}),
  history: async (account: string, rules: string, speed: string, days: number) =>
    (await send<{ points?: RatingPoint[] }>('GET',
      `/v1/accounts/${account}/ratings/history?rules=${rules}&speed=${speed}&days=${days}`)).points ?? [],
  relations: () => send<Relations>('GET', '/v1/me/relations'),
  claim: (text: string) => command<{ purpose: string; account?: string; class?: string }>('/v1/codes/claim', { code: text.trim() }),
  claimOperator: (text: string) => command<{ account: Account }>('/v1/operator', { code: text.trim() }),
  makeCode: (what: { purpose: 'teacher' | 'guardian' | 'pupil'; account?: string; class?: string }) => command<Code>('/v1/codes', what),
  firstAccess: (login: string, text: string, password: string) => command<unknown>('/v1/access', { login, code: text, password }),
  deleteMe: (password: string) => command<unknown>('/v1/me/delete', { password }),
  deleteAccount: (id: string) => command<unknown>(`/v1/accounts/${id}/delete`, {}),
  allowPublic: (id: string, allowed: boolean) => command<{ allowed?: boolean }>(`/v1/accounts/${id}/allow-public`, { allowed }),
  endGuardian: (child: string, guardian: string) => command<unknown>(`/v1/accounts/${child}/guardians/${guardian}`, undefined, 'DELETE'),
  details: async (id: string) => (await send<{ details: PersonDetails }>('GET', `/v1/accounts/${id}/details`)).details,
  correct: async (id: string, change: Partial<Pick<PersonDetails, 'first_name' | 'surname' | 'birth_date' | 'sex'>>) =>
    (await command<{ details?: PersonDetails }>(`/v1/accounts/${id}/details`, change, 'PATCH')).details,
  find: (login: string) => send<FoundPerson>('GET', `/v1/accounts?login=${code(login)}`),
  giveRole: (id: string, role: string) => command<unknown>(`/v1/accounts/${id}/roles/${role}`, {}),
  takeRole: (id: string, role: string) => command<unknown>(`/v1/accounts/${id}/roles/${role}`, undefined, 'DELETE'),
  openPolicy: (id: string) => command<unknown>(`/v1/accounts/${id}/open-policy`, {}),
};
