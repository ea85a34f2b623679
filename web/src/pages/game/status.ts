// The one sentence that says how a game stands.

import { say, t } from '../../texts';
import type { Game } from '../../types';
import { seatName } from './seats';

function resultText(game: Game): string {
  if (!game.outcome) return '';
  const { winner, reason } = game.outcome;
  const words = !winner ? t.drawn
    : !game.your_side || game.opponent === 'self' ? t.sideWon(t[winner])
    : winner === game.your_side ? t.youWon : t.youLost;
  return `${words} (${say(reason)})`;
}

function waitingText(game: Game, account: string | undefined): string {
  const invited = game.seats.find((s) => s.kind === 'invited');
  if (!invited) return t.waitingAnyone;
  const maker = game.seats.find((s) => s.kind !== 'invited');
  return invited.account === account && maker ? t.invitedYou(seatName(game, maker)) : t.waitingFor(invited.name ?? '…');
}

/** Says how the game stands to whoever has the account; no account is a visitor. */
export function statusText(game: Game, account?: string): string {
  if (game.status === 'open') return waitingText(game, account);
  if (game.status === 'cancelled') return t.closed[game.closed?.why ?? ''] ?? t.cancelled;
  if (game.status === 'suspended') return t.suspended;
  if (game.outcome) return resultText(game);
  const mover = game.seats.find((s) => s.side === game.side);
  const turn = mover?.kind === 'engine' ? t.thinking
    : game.opponent === 'self' ? t.theirTurn(t[game.side])
    : game.side === game.your_side ? t.yourTurn : t.theirTurn(t[game.side]);
  return game.check?.length ? `${t.check} ${turn}` : turn;
}
