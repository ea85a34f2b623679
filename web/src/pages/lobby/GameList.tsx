// One list of games: a line each, and what can be done with it.

import type { ComponentChildren } from 'preact';
import { t } from '../../texts';
import type { Game } from '../../types';
import { names } from '../game/seats';

/** The clock as people write it, such as 5+3. */
export function clockName(game: Game): string {
  if (!game.clock) return t.noClock;
  const minutes = game.clock.initial_ms / 60_000;
  return t.minutesShort(minutes < 1 ? `${game.clock.initial_ms / 1000} s` : String(Number(minutes.toFixed(1))).replace('.', ','),
    (game.clock.increment_ms ?? 0) / 1000);
}

function Line({ game, children }: { game: Game; children: ComponentChildren }) {
  const mine = game.status === 'running' && !!game.your_side && game.side === game.your_side && game.opponent !== 'self';
  const who = game.seats.find((s) => s.side !== game.your_side && s.rating);
  return (
    <li data-game={game.id}>
      <span>
        <strong>{t.against(...names(game))}</strong>
        {who?.rating && !game.your_side ? ` (${who.rating}${who.provisional ? '?' : ''})` : ''}
        <span class="muted detail">
          {t[game.rules]} · {clockName(game)} · {game.rated ? t.ratedShort : t.casual}
          {mine && <strong class="turn-sign">{t.turnIsYours}</strong>}
        </span>
      </span>
      <span class="do">{children}</span>
    </li>
  );
}

export function GameList({ title, empty, games, id, children }: {
  title: string;
  /** What to say of no games; without it an empty list is not shown at all. */
  empty?: string;
  games: Game[];
  id: string;
  children: (game: Game) => ComponentChildren;
}) {
  if (games.length === 0 && !empty) return null;
  return (
    <section class="card" aria-labelledby={id} data-testid={id}>
      <h2 id={id}>{title}</h2>
      {games.length === 0 ? <p class="muted">{empty}</p> : (
        <ul class="games">{games.map((game) => <Line key={game.id} game={game}>{children(game)}</Line>)}</ul>
      )}
    </section>
  );
}
