// Looking back at the moves of a game without leaving it. This client knows no
// rules, so the server tells what stood on the board after each.

import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../../api';
import type { Game, Piece } from '../../types';

export interface Past {
  /** The ply looked at; undefined is the game as it stands. */
  ply: number | undefined;
  /** What stood there; undefined until it has come. */
  pieces: Piece[] | undefined;
  check: string[];
  go: (ply: number) => void;
}

export function usePast(game: Game | undefined): Past {
  const plies = game?.plies ?? [];
  const [ply, setPly] = useState<number>();
  const [held, setHeld] = useState<{ key: string; pieces: Piece[]; check: string[] }>();
  const known = useRef(new Map<string, { pieces: Piece[]; check: string[] }>());
  // A new move, or one that was taken back, brings everybody back to the game.
  useEffect(() => setPly(undefined), [game?.id, plies.length]);
  const moves = ply === undefined ? [] : plies.slice(0, ply).map((p) => p.move.text);
  const key = ply === undefined || !game ? '' : `${game.id} ${moves.join(' ')}`;
  useEffect(() => {
    if (!key || !game?.position) return undefined;
    const found = known.current.get(key);
    if (found) return setHeld({ key, ...found });
    let stale = false;
    api.replay({ ...game.position, text: game.start ?? '' }, moves).then(({ pieces = [], check = [] }) => {
      known.current.set(key, { pieces, check });
      if (!stale) setHeld({ key, pieces, check });
    }, () => !stale && setPly(undefined));
    return () => { stale = true; };
  }, [key]);
  const there = held?.key === key ? held : undefined;
  return {
    ply,
    pieces: there?.pieces,
    check: there?.check ?? [],
    go: (next) => setPly(next >= plies.length ? undefined : Math.max(0, next)),
  };
}
