// What a side has taken, and by how much it is ahead.

import { PieceDrawing } from '../../board/pieces';
import { t } from '../../texts';
import type { Game } from '../../types';
import { otherSide } from './seats';

const order = ['queen', 'rook', 'bishop', 'knight', 'pawn', 'king', 'man', 'mark'];

/** The kinds that were taken, the dearest first, with how many of each. */
export function counted(kinds: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
}

/** How many points a seat is ahead by material; 0 when it is not. */
export function lead(material: readonly number[] | undefined, index: number): number {
  return Math.max(0, (material?.[index] ?? 0) - (material?.[1 - index] ?? 0));
}

const words = (kinds: [string, number][]) =>
  kinds.map(([kind, n]) => `${n} ${t.kinds[kind]?.[n === 1 ? 0 : 1] ?? kind}`).join(', ');

export function CapturedPieces({ game, index }: { game: Game; index: number }) {
  const seat = game.seats[index];
  const taken = counted(game.captured?.find((c) => c.side === seat?.side)?.kinds ?? []);
  const points = lead(game.material, index);
  if (!seat || game.rules === 'tictactoe') return null;
  const victim = otherSide(game, seat.side) ?? seat.side;
  return (
    <div class="captured">
      {taken.length > 0 && (
        <span role="img" aria-label={t.capturedBy(t[seat.side], words(taken))} data-testid={`captured-${seat.side}`}>
          {taken.map(([kind, n]) => (
            <span class="heap" key={kind}>
              {Array.from({ length: n }, (_, i) => <PieceDrawing key={i} rules={game.rules} side={victim} kind={kind} />)}
            </span>
          ))}
        </span>
      )}
      {points > 0 && (
        <span class="lead" data-testid={`lead-${seat.side}`}>
          <span aria-hidden="true">{t.ahead(points)}</span>
          <span class="sr">{t.aheadLong(points)}</span>
        </span>
      )}
    </div>
  );
}
