// One's own ratings, one for each game and speed, and their history.

import { useEffect } from 'preact/hooks';
import { Problem } from '../../api';
import { useSession } from '../../session';
import { t } from '../../texts';
import { Failure } from '../Failure';
import { PersonNav } from './PersonNav';
import { nameOf, RatingHistory } from './RatingGraph';

const p = t.people;

export function Ratings() {
  const { account, refresh } = useSession();
  useEffect(() => void refresh().catch(() => undefined), []);
  if (!account) return <Failure problem={new Problem('not_logged_in', 401)} />;
  const ratings = account.ratings ?? [];
  return (
    <>
      <PersonNav here="/ratings" />
      <h1>{p.ratingsTitle}</h1>
      {ratings.length > 0 && (
        <ul class="figures">
          {ratings.map((r) => (
            <li class="card" key={r.rules + r.speed}>
              <span>{nameOf(r)}</span>
              <strong>{r.rating}{r.provisional ? '?' : ''}</strong>
              <span class="muted">±{r.deviation}{r.provisional ? ` · ${t.provisional}` : ''}</span>
            </li>
          ))}
        </ul>
      )}
      <section class="card">
        <h2>{t.history}</h2>
        <RatingHistory account={account.id} ratings={ratings} />
      </section>
    </>
  );
}
