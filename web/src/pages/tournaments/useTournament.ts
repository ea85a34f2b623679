// One tournament on this page: read, watched, and changed by commands.

import { useCallback, useEffect, useState } from 'preact/hooks';
import { Problem } from '../../api';
import { tournaments, type Tournament } from '../../calls/tournaments';
import { connect } from '../../live';
import { asProblem } from '../forms';
import { newer } from './names';

interface Held {
  id: string;
  one?: Tournament;
  problem?: Problem;
}

export function useTournament(id: string, account: string) {
  const [held, setHeld] = useState<Held>({ id });
  const [connected, setConnected] = useState(true);
  const told = useCallback((next: Tournament) =>
    setHeld((was) => ({ id, one: was.id === id ? newer(was.one, next, account) : next })), [id, account]);
  useEffect(() => {
    let left = false;
    const failed = (e: unknown) => {
      if (!left) setHeld((was) => ({ ...(was.id === id ? was : { id }), problem: asProblem(e) }));
    };
    const read = () => tournaments.get(id).then((next) => { if (!left) told(next); }, failed);
    void read();
    const close = connect([`tournament:${id}`], {
      tournament: (data) => told((JSON.parse(data) as { tournament: Tournament }).tournament),
      gone: () => failed(new Problem('tournament_not_found', 404)),
    }, (now) => { if (!left) setConnected(now); });
    return () => {
      left = true;
      close();
    };
  }, [id, told]);
  return { ...(held.id === id ? held : { id }), connected, told } as Held & { connected: boolean; told: (next: Tournament) => void };
}
