// One's tournaments: those one plays in, those one organises, and a new one.

import { useState } from 'preact/hooks';
import { Problem } from '../../api';
import { pageSize, tournaments, type ListName, type Tournament } from '../../calls/tournaments';
import { useSession } from '../../session';
import { t } from '../../texts';
import { Failure } from '../Failure';
import { useAct } from '../forms';
import { personOf, summary } from './names';
import { NewTournamentForm } from './NewTournamentForm';
import { usePolled } from './polled';

const w = t.tournaments;

/** One list; an optional one is not there while it is empty. */
function List({ list, title, empty = '', optional = false }: { list: ListName; title: string; empty?: string; optional?: boolean }) {
  const { value, problem } = usePolled(list, () => tournaments.list(list));
  const { problem: failed, busy, act } = useAct();
  const [older, setOlder] = useState<Tournament[]>([]);
  const [ended, setEnded] = useState(false);
  // New ones push the last of the first page into what was read before.
  const first = value ?? [];
  const all = [...first, ...older.filter((o) => !first.some((f) => f.id === o.id))];
  const more = () => act(async () => {
    const page = await tournaments.list(list, all[all.length - 1]?.id);
    setOlder([...all, ...page]);
    setEnded(page.length < pageSize);
  });
  if (optional && all.length === 0 && !problem) return null;
  return (
    <section class="card" data-testid={list}>
      <h2>{title}</h2>
      <Failure problem={failed ?? problem} />
      {!value && !problem && <p role="status">{t.people.loading}</p>}
      {value && all.length === 0 && <p>{empty}</p>}
      <ul class="games">
        {all.map((one) => (
          <li key={one.id}>
            <span>
              <a href={`/tournaments/${one.id}`}>{one.name}</a>
              <span class="detail muted">{[summary(one), by(one, list)].filter(Boolean).join(' · ')}</span>
            </span>
          </li>
        ))}
      </ul>
      {first.length >= pageSize && !ended && <div class="actions"><button disabled={busy} onClick={more}>{t.people.more}</button></div>}
    </section>
  );
}

/** Whose it is, where that is somebody else. */
const by = (one: Tournament, list: ListName): string =>
  (one.organiser_name && list !== 'organising' && !one.organiser ? w.by(personOf(one.organiser_name)) : '');

export function TournamentsPage() {
  const { account } = useSession();
  if (!account) return <Failure problem={new Problem('not_logged_in', 401)} />;
  return (
    <>
      <h1>{w.title}</h1>
      <div class="columns wide">
        <div class="stack">
          <List list="playing" title={w.playing} empty={w.nonePlaying} />
          <List list="joinable" title={w.joinable} optional />
          <List list="organising" title={w.organising} empty={w.noneOrganising} />
          {account.roles?.includes('teacher') && <List list="pupils" title={w.ofPupils} optional />}
        </div>
        <NewTournamentForm />
      </div>
    </>
  );
}
