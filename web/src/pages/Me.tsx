// A person's own page: record, ratings, history, lessons.

import { useEffect, useState } from 'preact/hooks';
import { api, Problem } from '../api';
import { useSession } from '../session';
import { say, t } from '../texts';
import type { Lesson, RatingChange } from '../types';
import { PersonNav } from './account/PersonNav';
import { Failure } from './Failure';

export function Me() {
  const { account, refresh } = useSession();
  const [changes, setChanges] = useState<RatingChange[]>([]);
  const [lessons, setLessons] = useState<Lesson[]>([]);
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    const failed = (e: unknown) => setProblem(e instanceof Problem ? e : new Problem('internal', 500));
    refresh().catch(failed);
    api.ratingChanges().then(setChanges, failed);
    api.lessons().then(setLessons, failed);
  }, []);
  if (!account) return <Failure problem={new Problem('not_logged_in', 401)} />;
  return (
    <>
      <PersonNav here="/me" />
      <h1>{account.login}</h1>
      <Failure problem={problem} />
      <section class="card">
        <h2>{t.yourRecord}</h2>
        {(account.ratings ?? []).length === 0 ? <p>{t.noRecord}</p> : (
          <div class="scroll">
            <table>
              <thead>
                <tr>{[t.game, t.speed, t.ratingWord, t.wins, t.draws, t.losses].map((h) => <th key={h} scope="col">{h}</th>)}</tr>
              </thead>
              <tbody>
                {(account.ratings ?? []).map((r) => (
                  <tr key={r.rules + r.speed}>
                    <td>{t[r.rules]}</td>
                    <td>{t[r.speed as 'blitz']}</td>
                    <td>{r.rating}{r.provisional ? ` (${t.provisional})` : ''}</td>
                    <td>{r.wins ?? 0}</td>
                    <td>{r.draws ?? 0}</td>
                    <td>{r.losses ?? 0}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </section>
      {changes.length > 0 && (
        <section class="card">
          <h2>{t.history}</h2>
          <ul class="games">
            {changes.map((c) => (
              <li key={c.game}>
                <a href={`/games/${c.game}`}>{t[c.rules]}</a>
                <span>{c.before} → {c.after} ({c.after - c.before >= 0 ? '+' : ''}{c.after - c.before})</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section class="card">
        <h2>{t.lessons}</h2>
        <ul class="games">
          {lessons.map((l) => (
            <li key={l.id}>
              <span>{say(l.id)}</span>
              <span>{l.passed ? t.passed : t.missing}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
