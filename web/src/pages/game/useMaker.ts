// Whether the one at this page made a game in which the engine plays itself: its
// maker has no side, but may end it and play it again.

import { useEffect, useState } from 'preact/hooks';
import { api } from '../../api';
import { useSession } from '../../session';
import type { Game } from '../../types';

export function useMaker(game: Game | undefined): boolean {
  const { account } = useSession();
  const [made, setMade] = useState<string>();
  const id = account && game?.opponent === 'engines' ? game.id : undefined;
  useEffect(() => {
    if (!id) return undefined;
    let stale = false;
    // Without an answer the buttons stay away; the server decides in any case.
    api.games('mine').then((games) => !stale && setMade(games.some((g) => g.id === id) ? id : undefined), () => undefined);
    return () => { stale = true; };
  }, [id]);
  return id !== undefined && made === id;
}
