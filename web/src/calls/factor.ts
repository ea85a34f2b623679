// Calls about the second factor of the own account, and an operator's about
// another's.

import { command, send } from '../api';

export interface SecondFactor {
  /** Left out while a log-in needs no code. */
  since?: string;
  recovery_codes?: number;
  allowed?: boolean;
  required?: boolean;
}

export interface BegunFactor {
  secret: string;
  uri: string;
  /** A row a text, "1" for dark. */
  qr: string[];
  expires_at: string;
}

type Codes = { recovery_codes?: string[] };
const codesOf = async (answer: Promise<Codes>) => (await answer).recovery_codes ?? [];

const path = '/v1/me/second-factor';

export const factor = {
  get: () => send<SecondFactor>('GET', path),
  begin: (password: string) => send<BegunFactor>('POST', path, { password }),
  confirm: (code: string) => codesOf(command<Codes>(`${path}/confirm`, { code })),
  renew: (password: string, code: string) => codesOf(command<Codes>(`${path}/recovery-codes`, { password, code })),
  end: (password: string, code: string) => command<unknown>(`${path}/end`, { password, code }),
  endOf: (account: string) => command<unknown>(`/v1/accounts/${account}/second-factor/end`, {}),
};
