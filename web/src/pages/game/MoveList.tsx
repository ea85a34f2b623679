// The moves of a game, to read, to walk through and to take away.

import { useEffect, useRef } from 'preact/hooks';
import { notation, t } from '../../texts';
import type { Game, Ply } from '../../types';
import type { Past } from './usePast';

/** The moves in rows of two; the first row may lack its first, after a start with Black to move. */
export function rowsOf(plies: readonly Ply[], firstSide: string | undefined): (number | undefined)[][] {
  const rows: (number | undefined)[][] = [];
  plies.forEach((p, i) => {
    if (p.side === firstSide || rows.length === 0) rows.push(p.side === firstSide ? [i] : [undefined, i]);
    else rows[rows.length - 1]?.push(i);
  });
  return rows;
}

/** `played` here, so that the server has its record; a record from elsewhere is none of its games. */
export function MoveList({ game, past, played = true }: { game: Game; past: Past; played?: boolean }) {
  const here = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const plies = game.plies ?? [];
  const at = past.ply ?? plies.length;
  useEffect(() => {
    // Only the list scrolls: the page stays where its reader is.
    const box = list.current;
    const button = here.current;
    if (!box || !button) return;
    const top = button.offsetTop - box.offsetTop;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + button.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top + button.offsetHeight - box.clientHeight;
  }, [at, plies.length]);
  const cell = (index: number | undefined) => {
    const ply = index === undefined ? undefined : plies[index];
    if (index === undefined || !ply) return <span class="gap" aria-hidden="true">…</span>;
    const current = index + 1 === at;
    return (
      <button class="ply" ref={current ? here : null} aria-current={current ? 'step' : undefined} onClick={() => past.go(index + 1)}>
        {notation(game.rules, ply.move.notation)}
      </button>
    );
  };
  // A button that is truly disabled would lose the focus at the ends of the game.
  const step = (sign: string, label: string, ply: number, off: boolean) => (
    <button aria-label={label} title={label} aria-disabled={off} onClick={() => !off && past.go(ply)}>{sign}</button>
  );
  return (
    <section class="card moves">
      <h2>{t.moves}</h2>
      {plies.length === 0 ? <p class="muted">{t.noMoves}</p> : (
        <>
          <ol ref={list}>
            {rowsOf(plies, game.seats[0]?.side).map(([a, b], i) => (
              <li key={i}>
                {cell(a)}
                {b !== undefined && cell(b)}
              </li>
            ))}
          </ol>
          <div class="steps" role="group" aria-label={t.movesNavigation}>
            {step('⇤', t.firstPly, 0, at === 0)}
            {step('←', t.previousPly, at - 1, at === 0)}
            {step('→', t.nextPly, at + 1, at === plies.length)}
            {step('⇥', t.lastPly, plies.length, at === plies.length)}
          </div>
          {played && game.rules !== 'tictactoe' && (
            <a href={`/v1/games/${game.id}/record`} download={`${game.rules}-${game.id}.${game.rules === 'chess' ? 'pgn' : 'pdn'}`} data-plain>
              {t.download}
            </a>
          )}
        </>
      )}
    </section>
  );
}
