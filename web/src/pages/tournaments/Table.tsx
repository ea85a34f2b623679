// The table with its tie-breaks.

import { tournaments, type Tournament } from '../../calls/tournaments';
import { t } from '../../texts';
import { Scroll } from '../forms';
import { figure, nameOf } from './names';

const w = t.tournaments;

export function Table({ one }: { one: Tournament }) {
  const lines = one.table ?? [];
  if (lines.length === 0) return null;
  const breaks = one.breaks ?? [];
  // Where wins break ties they have their column there.
  const wins = !breaks.includes('wins');
  return (
    <section class="card" data-testid="table">
      <h2>{w.table}</h2>
      <Scroll label={w.table}>
        <table>
          <thead>
            <tr>
              {[w.place, w.player, w.points, w.gamesShort].map((h) => <th key={h} scope="col">{h}</th>)}
              {wins && <th scope="col">{w.wins}</th>}
              {breaks.map((b) => <th key={b} scope="col">{w.breaks[b] ?? b}</th>)}
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => {
              const name = nameOf(one.players?.find((p) => p.number === line.player));
              return (
                <tr key={line.player}>
                  <td>{line.place}</td>
                  <td>{line.player === one.you ? <strong>{name}</strong> : name}</td>
                  <td>{figure(line.points)}</td>
                  <td>{line.games ?? 0}</td>
                  {wins && <td>{line.wins ?? 0}</td>}
                  {breaks.map((b, i) => <td key={b}>{figure(line.breaks?.[i])}</td>)}
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
      <div class="actions"><a class="button" href={tournaments.tableFile(one.id)} download data-plain>{w.csv}</a></div>
    </section>
  );
}
