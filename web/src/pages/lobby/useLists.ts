// The lists of games on the first page, kept fresh: at once when something
// happens to an own game, now and then for those of others.

import { useCallback, useEffect, useState } from 'preact/hooks';
import { api } from '../../api';
import { watch } from '../../live';
import { useSession } from '../../session';
import type { Game } from '../../types';

export interface Lists {
  mine: Game[];
  waiting: Game[];
  suspended: Game[];
  invited: Game[];
  open: Game[];
  live: Game[];
}

const every = 10_000;
const none: Lists = { mine: [], waiting: [], suspended: [], invited: [], open: [], live: [] };

/** Games in which it is one's own turn come first. */
export const byTurn = (games: Game[]): Game[] =>
  [...games].sort((a, b) => Number(b.side === b.your_side) - Number(a.side === a.your_side));

export function useLists(): { lists: Lists; reload: () => Promise<void> } {
  const { account } = useSession();
  const [lists, setLists] = useState(none);
  const signedIn = !!account;
  const reload = useCallback(async () => {
    const asked: [keyof Lists, Promise<Game[]>][] = [['open', api.games('open')], ['live', api.games('live')]];
    if (signedIn) {
      asked.push(['mine', api.games('mine', 'running').then(byTurn)], ['waiting', api.games('mine', 'open')], 
        ['suspended', api.games('mine', 'suspended')], ['invited', api.games('invited')]);
    }
    // A list that did not come stays as it was; the next notice reads it again.
    await Promise.all(asked.map(([name, games]) =>
      games.then((list) => setLists((held) => ({ ...held, [name]: list })), () => undefined)));
  }, [signedIn]);
  useEffect(() => {
    setLists(none);
    void reload();
    const timer = setInterval(() => document.visibilityState === 'visible' && void reload(), every);
    const close = signedIn ? watch(['me'], { me: () => void reload() }, () => Promise.resolve(undefined)) : () => undefined;
    return () => {
      clearInterval(timer);
      close();
    };
  }, [signedIn, reload]);
  return { lists, reload };
}
