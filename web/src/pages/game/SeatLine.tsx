// A player beside the board: who, how strong, whose turn, what was taken, how
// much time is left.

import { t } from '../../texts';
import type { Game } from '../../types';
import { CapturedPieces } from './Captured';
import { ClockFace } from './ClockFace';
import { betweenPeople, seatName } from './seats';

export function SeatLine({ game, index, present }: {
  game: Game;
  index: number;
  /** The sides whose players have the game open; undefined where nobody knows. */
  present: string[] | undefined;
}) {
  const seat = game.seats[index];
  if (!seat) return null;
  const turn = game.status === 'running' && game.side === seat.side;
  const change = seat.rating && seat.rating_after !== undefined ? seat.rating_after - seat.rating : undefined;
  // Only a person who plays another can be away.
  const shown = present && betweenPeople(game) && (game.status === 'running' || game.status === 'suspended');
  const here = present?.includes(seat.side) ?? false;
  const name = seatName(game, seat);
  return (
    <div class={`seat ${turn ? 'turn' : ''}`} data-testid={`seat-${seat.side}`}>
      <div class="who">
        <div class="name">
          {game.rules !== 'tictactoe' && <span class={`pawn-sign ${index === 0 ? 'first' : 'second'}`} aria-hidden="true" />}
          {shown && (
            <span class={`presence ${here ? 'here' : ''}`} role="img" aria-label={here ? t.present : t.absent}
              title={here ? t.present : t.absent} />
          )}
          <strong>{name}</strong>
          {name !== t[seat.side] && <span class="muted">{t[seat.side]}</span>}
          {turn && <span class="turn-sign">{t.toMove}</span>}
        </div>
        <div class="under">
          {!!seat.rating && game.opponent !== 'self' && (
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
