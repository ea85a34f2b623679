// Who is at the screen, shared by all pages.

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { About, Account } from './types';

export interface Session {
  account: Account | undefined;
  about: About | undefined;
  /** Reads the account again. */
  refresh: () => Promise<void>;
}

export const SessionContext = createContext<Session>({
  account: undefined,
  about: undefined,
  refresh: () => Promise.resolve(),
});

export const useSession = () => useContext(SessionContext);
