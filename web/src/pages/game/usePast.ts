// Looking back at the moves of a game without leaving it. This client knows no
// rules, so the server tells what stood on the board after each.

import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../../api';
import type { Game, Piece } from '../../types';

export interface Past {
  /** The ply looked at; undefined is the game as it stands. */
  ply: number | undefined;
  /** The ply that is shown: the one before stays until the next has come. */
  shown: number | undefined;
  /** What stood there; undefined while the game as it stands is shown. */
  pieces: Piece[] | undefined;
  check: string[];
  go: (ply: number) => void;
}

export function usePast(game: Game | undefined, failed: (e: unknown) => void): Past {
  const plies = game?.plies ?? [];
  const [ply, setPly] = useState<number>();
  const [held, setHeld] = useState<{ ply: number; pieces: Piece[]; check: string[] }>();
  const known = useRef(new Map<string, { pieces: Piece[]; check: string[] }>());
  // A new move, or one that was taken back, brings everybody back to the game.
  useEffect(() => setPly(undefined), [game?.id, plies.length]);
  const moves = ply === undefined ? [] : plies.slice(0, ply).map((p) => p.move.text);
  const key = ply === undefined || !game ? '' : `${game.id} ${moves.join(' ')}`;
  useEffect(() => {
    if (!key || ply === undefined || !game?.position) return setHeld(undefined);
    const found = known.current.get(key);
    if (found) return setHeld({ ply, ...found });
    let stale = false;
    // From the start, that has no history: the one of the game is of where it stands.
    const { rules, draws } = game.position;
    api.replay({ rules, draws, text: game.start ?? '' }, moves).then(({ pieces = [], check = [] }) => {
      known.current.set(key, { pieces, check });
      if (!stale) setHeld({ ply, pieces, check });
    }, (e: unknown) => {
      if (stale) return;
      setPly(undefined);
      failed(e);
    });
    return () => { stale = true; };
  }, [key]);
  // What was looked at before a move came is of another game by now.
  const there = ply === undefined ? undefined : held;
  return {
    ply,
    shown: there?.ply,
    pieces: there?.pieces,
    check: there?.check ?? [],
    go: (next) => setPly(next >= plies.length ? undefined : Math.max(0, next)),
  };
}
