// One side's clock. Low time shows by a sign, a frame and a word, not by colour
// alone, and the one who plays is told once.

import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../texts';
import type { Game } from '../../types';
import { clockText, lowTime, remaining, useTicking } from '../clock';

export function ClockFace({ game, index }: { game: Game; index: number }) {
  const { clock } = game;
  const side = game.seats[index]?.side;
  const runs = !!clock && clock.running === side;
  useTicking(runs ? clock : undefined);
  const left = clock && side ? remaining(clock, index, side) : 0;
  const low = !!clock && game.status === 'running' && left < lowTime(clock);
  const own = side === game.your_side && game.opponent !== 'self';
  const told = useRef(false);
  const [warning, setWarning] = useState('');
  useEffect(() => {
    if (!low) told.current = false;
    if (!low || !own || !runs || told.current) return;
    told.current = true;
    setWarning(t.lowTimeNow(clockText(left)));
  }, [low, own, runs]);
  if (!clock || !side) return null;
  return (
    <>
      <span class={`clock ${runs ? 'runs' : ''} ${low ? 'low' : ''}`} role="timer" aria-label={t.timeOf(t[side])} data-testid={`clock-${side}`}>
        {low && (
          <svg class="hourglass" viewBox="0 0 16 20" role="img" aria-label={t.lowTime}>
            <path d="M2 1h12v2l-5 7 5 7v2H2v-2l5-7-5-7z" />
          </svg>
        )}
        {clockText(left)}
      </span>
      {own && <span class="sr" aria-live="assertive">{low ? warning : ''}</span>}
    </>
  );
}
