// Calls about classes, their people, and the audit log.

import { command, send } from '../api';
import type { Game, Lesson, Rating } from '../types';

export interface Class {
  id: string;
  name: string;
  school_year?: number;
  created_at: string;
  archived_at?: string;
  pupils?: number;
  role: 'teacher' | 'pupil' | 'operator';
  /** Accounts that will be deleted for want of use, and when the first will be. */
  leaving?: number;
  leaves_at?: string;
}

export interface Teacher {
  account: string;
  login: string;
}

export interface Pupil {
  account: string;
  login: string;
  name?: string;
  made_by_class?: boolean;
  access?: 'ready' | 'code' | 'expired';
  public_allowed?: boolean;
  policy?: string;
  archived_at?: string;
  leaves_at?: string;
  ratings?: Rating[];
}

export interface Slip {
  account: string;
  name: string;
  login: string;
  code?: string;
  expires_at: string;
}

export interface ClassPeople {
  class: Class;
  teachers?: Teacher[];
  pupils?: Pupil[];
}

export interface AuditEntry {
  number: number;
  at: string;
  actor?: string;
  action: string;
  subject?: string;
  class?: string;
  count?: number;
}

/** Rows of the audit log, and names of those in them whom one may know. */
export interface AuditPart {
  entries?: AuditEntry[];
  people?: { account: string; login: string; name?: string }[];
  classes?: { id: string; name: string; school_year?: number }[];
}

const at = (id: string) => `/v1/classes/${id}`;
const slipsOf = async (answer: Promise<{ slips?: Slip[] }>) => (await answer).slips ?? [];

export const classes = {
  list: async (archived: boolean, all = false) =>
    (await send<{ classes?: Class[] }>('GET', `/v1/classes?limit=200&archived=${archived}&all=${all}`)).classes ?? [],
  get: (id: string) => send<ClassPeople>('GET', at(id)),
  create: async (name: string, school_year: number) =>
    (await command<{ class: Class }>('/v1/classes', { name, school_year })).class,
  update: (id: string, change: { name?: string; school_year?: number; archived?: boolean }) =>
    command<{ class: Class }>(at(id), change, 'PATCH'),
  addTeacher: (id: string, login: string) => command<unknown>(`${at(id)}/teachers`, { login }),
  removeTeacher: (id: string, account: string) => command<unknown>(`${at(id)}/teachers/${account}`, undefined, 'DELETE'),
  addPupils: (id: string, names: string[]) => slipsOf(command(`${at(id)}/pupils`, { names })),
  updatePupil: (id: string, account: string, change: { name?: string; archived?: boolean }) =>
    command<unknown>(`${at(id)}/pupils/${account}`, change, 'PATCH'),
  movePupil: (id: string, account: string, to: string) => command<unknown>(`${at(id)}/pupils/${account}/move`, { to }),
  removePupil: (id: string, account: string) => command<unknown>(`${at(id)}/pupils/${account}`, undefined, 'DELETE'),
  resetAccess: (id: string, accounts: string[]) => slipsOf(command(`${at(id)}/reset-access`, { accounts })),
  keepPupils: (id: string) => command<unknown>(`${at(id)}/keep-pupils`, {}),
  audit: (filter: { class?: string; before?: number }) => {
    const query = new URLSearchParams({ limit: '50' });
    if (filter.class) query.set('class', filter.class);
    if (filter.before) query.set('before', String(filter.before));
    return send<AuditPart>('GET', `/v1/audit?${query}`);
  },
  checkAudit: (after: number) => send<{ checked?: number; more?: boolean; broken?: number }>('GET', `/v1/audit/check?after=${after}`),
  lessons: async (account: string) => (await send<{ lessons?: Lesson[] }>('GET', `/v1/lessons?account=${account}`)).lessons ?? [],
  games: async (player: string) => (await send<{ games?: Game[] }>('GET', `/v1/games?list=mine&limit=50&player=${player}`)).games ?? [],
};
