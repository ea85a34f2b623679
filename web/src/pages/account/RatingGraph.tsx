// The history of one rating: a graph, and the same in a table.

import { useState } from 'preact/hooks';
import { accounts, type RatingPoint } from '../../calls/account';
import { t } from '../../texts';
import type { Rating } from '../../types';
import { Failure } from '../Failure';
import { isoDay, Scroll, useRead } from '../forms';
import { plot } from './graph';

const p = t.people;
const frame = { width: 640, height: 260, left: 72, right: 14, top: 14, bottom: 36 };

export const nameOf = (r: { rules: Rating['rules']; speed: string }) => `${t[r.rules]}, ${t[r.speed as 'blitz'].toLowerCase()}`;

function Graph({ what, points }: { what: string; points: RatingPoint[] }) {
  const [first, last] = [points[0], points[points.length - 1]];
  if (!first || !last) return null;
  const { dots, line, band, levels } = plot(points, frame);
  return (
    <svg class="graph" viewBox={`0 0 ${frame.width} ${frame.height}`} role="img" data-testid="graph"
      aria-label={p.graphOf(what, first.rating, isoDay(first.day), last.rating, isoDay(last.day))}>
      {levels.map(({ y, rating }) => (
        <g key={rating}>
          <line x1={frame.left} x2={frame.width - frame.right} y1={y} y2={y} class="level" />
          <text x={frame.left - 8} y={y + 5} text-anchor="end">{rating}</text>
        </g>
      ))}
      {band && <path d={band} class="band" />}
      <path d={line} class="line" />
      {dots.length <= 60 && dots.map(({ x, y }, i) => <circle key={i} cx={x} cy={y} r={4} class="dot" />)}
      {points.length > 1 && <text x={frame.left} y={frame.height - 8}>{isoDay(first.day)}</text>}
      <text x={points.length > 1 ? frame.width - frame.right : dots[0]?.x} y={frame.height - 8}
        text-anchor={points.length > 1 ? 'end' : 'middle'}>{isoDay(last.day)}</text>
    </svg>
  );
}

export function RatingHistory({ account, ratings }: { account: string; ratings: readonly Rating[] }) {
  const [chosen, setChosen] = useState('');
  const [days, setDays] = useState('365');
  const rating = ratings.find((r) => `${r.rules} ${r.speed}` === chosen) ?? ratings[0];
  const { value, problem } = useRead(`${account} ${rating?.rules} ${rating?.speed} ${days}`,
    async () => (rating ? accounts.history(account, rating.rules, rating.speed, Number(days)) : []));
  if (!rating) return <p>{p.noRatings}</p>;
  const what = nameOf(rating);
  return (
    <>
      <div class="filters">
        <label class="field">
          <span>{p.whichRating}</span>
          <select name="rating" value={`${rating.rules} ${rating.speed}`} onChange={(e) => setChosen(e.currentTarget.value)}>
            {ratings.map((r) => <option key={r.rules + r.speed} value={`${r.rules} ${r.speed}`}>{nameOf(r)}</option>)}
          </select>
        </label>
        <label class="field">
          <span>{p.period}</span>
          <select name="period" value={days} onChange={(e) => setDays(e.currentTarget.value)}>
            {Object.entries(p.periods).map(([n, text]) => <option key={n} value={n}>{text}</option>)}
          </select>
        </label>
      </div>
      <Failure problem={problem} />
      {!value && !problem && <p role="status">{p.loading}</p>}
      {value?.length === 0 && <p>{p.noHistory}</p>}
      {value && value.length > 0 && (
        <div class="graph-and-table">
          <div>
            <Graph what={what} points={value} />
            {value.length > 1 && <p class="muted">{p.graphBand}</p>}
          </div>
          <Scroll label={p.ratingTable}>
            <table data-testid="rating-table">
              <caption>{what}</caption>
              <thead>
                <tr>{[p.day, t.ratingWord, p.deviation, p.changes].map((h) => <th key={h} scope="col">{h}</th>)}</tr>
              </thead>
              <tbody>
                {[...value].reverse().map((point) => (
                  <tr key={point.day}>
                    <td>{isoDay(point.day)}</td>
                    <td>{point.rating}</td>
                    <td>±{point.deviation}</td>
                    <td>{point.changes ?? 0}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        </div>
      )}
    </>
  );
}
