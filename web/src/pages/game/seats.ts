// What people call the players of a game.

import { t } from '../../texts';
import type { Game, Seat, SideName } from '../../types';

/** The short name of a player. */
export function seatName(game: Pick<Game, 'rules' | 'opponent'>, seat: Seat): string {
  if (seat.kind === 'open') return '…';
  // In tic-tac-toe every level plays perfectly, so none is named.
  if (seat.kind === 'engine') {
    return game.rules === 'tictactoe' ? t.engine : `${t.engine}: ${t[seat.level as 'full'] ?? seat.level}`;
  }
  if (game.opponent === 'self') return t[seat.side];
  return seat.account ? (seat.name ?? '') : t.visitor;
}

/** The two names of a game, the side that moves first first, without levels. */
export const names = (game: Game): [string, string] =>
  game.seats.map((s) => (s.kind === 'engine' ? t.engine : seatName(game, s))) as [string, string];

export const otherSide = (game: Game, side: string): SideName | undefined => game.seats.find((s) => s.side !== side)?.side;

/** Whether two different people play. */
export const betweenPeople = (game: Game): boolean =>
  game.opponent !== 'self' && game.seats.every((s) => s.kind === 'person');

/** Whether the engine sits on one side. */
export const hasEngine = (game: Game): boolean => game.seats.some((s) => s.kind === 'engine');
