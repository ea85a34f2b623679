// The opponent has left: how long to wait, and what one may ask for then.

import { useEffect, useState } from 'preact/hooks';
import { api } from '../../api';
import { t } from '../../texts';
import type { Game } from '../../types';
import { betweenPeople, otherSide } from './seats';
import type { Play } from './useGame';

/** Seconds that somebody may be gone, by speed, until the other may claim the game; the server decides. */
const patience: Record<string, number> = { bullet: 15, blitz: 30, rapid: 60, classical: 120 };

/** Counts down from when it was first true. */
function useCountdown(running: boolean, seconds: number): number {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    setLeft(seconds);
    if (!running) return undefined;
    const began = performance.now();
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil(seconds - (performance.now() - began) / 1000))), 250);
    return () => clearInterval(timer);
  }, [running, seconds]);
  return left;
}

export function Away({ game, play }: { game: Game; play: Play }) {
  const { your_side: own } = game;
  const other = own ? otherSide(game, own) : undefined;
  const counts = game.status === 'running' && !!game.clock?.running && betweenPeople(game) && !!other;
  const gone = counts && (game.gone ?? []).some((g) => g.side === other);
  // Without a clock nothing has happened for days; the server's word decides.
  const still = !!other && !!game.claim_from && game.side === other && Date.now() >= Date.parse(game.claim_from);
  const absent = counts && !gone && !!play.present && !play.present.includes(other);
  const left = useCountdown(absent, patience[game.speed ?? ''] ?? 60);
  if (gone || still) {
    const claim = (result: 'win' | 'draw') => play.act(() => api.claimWin(game.id, result));
    const why = gone ? t.awayLong : t.stillLong;
    return (
      <div class="offer" role="group" aria-label={why} data-testid="gone">
        <p role="status">{why}</p>
        <button class="main" disabled={play.busy} onClick={() => claim('win')}>{t.claimWin}</button>
        <button disabled={play.busy} onClick={() => claim('draw')}>{t.claimGoneDraw}</button>
      </div>
    );
  }
  if (!absent) return null;
  return (
    <p class="notice" data-testid="away">
      <span role="status">{t.away}</span> <span class="muted">{t.awayFor(left)}</span>
    </p>
  );
}
