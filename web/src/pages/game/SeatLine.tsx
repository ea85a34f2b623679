// A player beside the board: who, how strong, whose turn, what was taken, how
// much time is left.

import { t } from '../../texts';
import type { Game } from '../../types';
import { CapturedPieces } from './Captured';
import { ClockFace } from './ClockFace';
import { seatName } from './seats';

export function SeatLine({ game, index, present }: {
  game: Game;
  index: number;
  /** Whether the person is at the game; undefined where nobody knows or it does not matter. */
  present?: boolean | undefined;
}) {
  const seat = game.seats[index];
  if (!seat) return null;
  const turn = game.status === 'running' && game.side === seat.side;
  const change = seat.rating && seat.rating_after !== undefined ? seat.rating_after - seat.rating : undefined;
  const name = seatName(game, seat);
  return (
    <div class={`seat ${turn ? 'turn' : ''}`} data-testid={`seat-${seat.side}`}>
      <div class="who">
        <div class="name">
          <span class={`pawn-sign ${index === 0 ? 'first' : 'second'}`} aria-hidden="true" />
          {present !== undefined && (
            <span class={`presence ${present ? 'here' : ''}`} role="img" aria-label={present ? t.present : t.absent}
              title={present ? t.present : t.absent} />
          )}
          <strong>{name}</strong>
          {name !== t[seat.side] && <span class="muted">{t[seat.side]}</span>}
          {turn && <span class="turn-sign">{t.toMove}</span>}
        </div>
        <div class="under">
          {!!seat.rating && (
            <span class="muted rating">
              {t.ratingWord} {seat.rating}{seat.provisional ? '?' : ''}
              {change !== undefined && ` → ${seat.rating_after} `}
              {change !== undefined && <strong class={change < 0 ? 'down' : 'up'}>({change < 0 ? '−' : '+'}{Math.abs(change)})</strong>}
            </span>
          )}
          <CapturedPieces game={game} index={index} />
        </div>
      </div>
      <ClockFace game={game} index={index} />
    </div>
  );
}
