// The state of one game on this page: read, watched, and changed by commands.

import { useEffect, useRef, useState } from 'preact/hooks';
import { api, Problem } from '../../api';
import { newer, watch } from '../../live';
import { go } from '../../router';
import { useSession } from '../../session';
import type { Game } from '../../types';

export const asProblem = (e: unknown) => (e instanceof Problem ? e : new Problem('internal', 500));

export interface Play {
  game: Game | undefined;
  problem: Problem | undefined;
  setProblem: (problem: Problem | undefined) => void;
  /** False while the stream of events is cut. */
  connected: boolean;
  busy: boolean;
  /** The sides whose players have the game open; undefined where that is not known. */
  present: string[] | undefined;
  /** Numbers what was asked, so that a late answer does not speak of another click. */
  asked: { current: number };
  /** Sends a command and shows what came of it. */
  act: (call: () => Promise<Game | void>) => Promise<void>;
}

export function useGame(id: string): Play {
  const { account, refresh } = useSession();
  const [game, setGame] = useState<Game>();
  const [problem, setProblem] = useState<Problem>();
  const [connected, setConnected] = useState(true);
  const [present, setPresent] = useState<string[]>();
  const [busy, setBusy] = useState(false);
  const asked = useRef(0);
  const shown = useRef<Game | undefined>(undefined);

  const show = (next: Game) => {
    const held = shown.current;
    const state = newer(held, next);
    shown.current = state;
    setGame(state);
    // Players who saw the game end go on to the next one together.
    if (held?.id === state.id && !held.next_game && state.next_game && state.your_side) go(`/games/${state.next_game}`);
  };
  const failed = (e: unknown) => setProblem(asProblem(e));

  useEffect(() => {
    shown.current = undefined;
    setGame(undefined);
    setProblem(undefined);
    setBusy(false);
    setPresent(undefined);
    let left = false;
    const arrived = (next: Game) => { if (!left) show(next); };
    api.game(id).then(arrived, (e: unknown) => { if (!left) failed(e); });
    const close = watch([`game:${id}`], {
      game: (next) => {
        arrived(next);
        setProblem((p) => (p?.code === 'offline' || p?.code === 'unavailable' ? undefined : p));
      },
      gone: () => setProblem(new Problem('game_not_found', 404)),
      presence: (sides) => { if (!left) setPresent(sides); },
      connected: (now) => {
        setConnected(now);
        if (!now) setPresent(undefined); // who cannot hear does not know
      },
    }, () => api.game(id));
    return () => {
      left = true;
      close();
    };
  }, [id, account?.id]);

  const rated = game?.status === 'finished' && game.seats.some((s) => s.rating_after !== undefined);
  useEffect(() => {
    if (rated) void refresh().catch(() => undefined);
  }, [rated]);

  const act = async (call: () => Promise<Game | void>) => {
    asked.current++;
    setBusy(true);
    setProblem(undefined);
    try {
      const next = await call();
      if (next && next.id === (shown.current?.id ?? id)) show(next);
    } catch (e) {
      failed(e);
      // What was refused as too late: the page has missed something.
      if (e instanceof Problem && e.status === 409) api.game(id).then(show, failed);
    } finally {
      setBusy(false);
    }
  };
  return { game, problem, setProblem, connected, busy, present, asked, act };
}
