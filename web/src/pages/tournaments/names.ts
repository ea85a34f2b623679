// How tournaments name what they hold.

import type { Board, Player, Tournament } from '../../calls/tournaments';
import { t } from '../../texts';

const w = t.tournaments;

export const levels = ['plies-2', 'plies-4', 'plies-6', 'full'] as const;

/** What a player is called; levels are named in every game, for they play beside each other, but not explained. */
export function nameOf(p: Player | undefined): string {
  if (!p) return '—';
  if (p.level) return `${t.engine}: ${(t[p.level as 'full'] ?? p.level).replace(/ \(.*\)$/, '')}`;
  return personOf(p.name);
}

/** What the server writes for an account that was deleted nobody can have as a login. */
export const personOf = (login?: string): string => (login && login !== 'deleted' ? login : w.gone);

/** A number with halves and quarters as people write it. */
export const figure = (n = 0): string => n.toLocaleString('pt-BR', { maximumFractionDigits: 2 });

const results: Record<string, string> = { '1-0': '1–0', '0-1': '0–1', '1/2-1/2': '½–½', '0-0': '0–0', bye: w.bye, rest: w.rest };

export const resultOf = (board: Board): string =>
  (board.result ? (results[board.result] ?? board.result) + (board.decided && board.black ? ` (${w.decidedShort})` : '') : w.beingPlayed);

/** The clock as people write it. */
export function clockOf({ clock }: Tournament): string {
  if (!clock) return t.noClock;
  return t.minutes(Number((clock.initial_ms / 60_000).toFixed(2)), (clock.increment_ms ?? 0) / 1000);
}

/** What it is, and how far. */
export function summary(one: Tournament): string {
  const parts = [t[one.rules], w.kinds[one.kind] ?? one.kind, w.statuses[one.status] ?? one.status];
  if (one.status === 'running' && one.paired) parts.push(w.roundOf(one.paired, one.rounds ?? 0));
  return parts.join(' · ');
}

/** Several log-ins as they are typed: with spaces, commas or lines between. */
export const loginsIn = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter(Boolean))];

/**
 * The newer of two states of one tournament. One that was made for nobody does not say who looks and who organises.
 */
export function newer(held: Tournament | undefined, next: Tournament, account: string): Tournament {
  if (!held || held.id !== next.id) return next;
  if (next.version < held.version) return held;
  const you = next.players?.find((p) => p.account === account)?.number;
  return { ...next, ...(held.organiser ? { organiser: true } : {}), ...(you ? { you } : {}) };
}

/** Whether the one who looks may see the games: those who were only invited, and passers-by, may not. */
export function seesGames(one: Tournament, roles: string[] = []): boolean {
  const you = one.players?.find((p) => p.number === one.you);
  return !!one.organiser || (!!you && you.status !== 'invited') || roles.includes('teacher') || roles.includes('operator');
}

/** The game that waits for the one who looks, with the number of who is the other. */
export function ownGame(one: Tournament): { id: string; other: number | undefined } | undefined {
  if (!one.you) return undefined;
  for (const round of [...(one.played ?? [])].reverse()) {
    const board = round.boards?.find((b) => !b.result && (b.white === one.you || b.black === one.you));
    const game = board?.games?.find((g) => !g.result);
    if (board && game) return { id: game.id, other: board.white === one.you ? board.black : board.white };
  }
  return undefined;
}
