// An operator finds a person by login: gives and takes the role of teacher, and helps
// in who lost their second factor.

import { useState } from 'preact/hooks';
import { accounts, type FoundPerson } from '../../calls/account';
import { factor } from '../../calls/factor';
import { useSession } from '../../session';
import { t } from '../../texts';
import { Correct } from './Correct';
import { Ask } from '../Ask';
import { Failure } from '../Failure';
import { Field, typed, useAct } from '../forms';

const p = t.people;

export function FindPerson() {
  const { account: me } = useSession();
  const { problem, busy, act } = useAct();
  const [found, setFound] = useState<FoundPerson>();
  const [told, setTold] = useState('');
  const search = (e: Event) => {
    const login = typed(e)('login').trim();
    setFound(undefined);
    setTold('');
    void act(async () => setFound(await accounts.find(login || '-')));
  };
  const change = (what: () => Promise<unknown>, done = '') => act(async () => {
    await what();
    if (found) setFound(await accounts.find(found.login));
    setTold(done);
  });
  const has = (role: string) => found?.roles?.includes(role) ?? false;
  return (
    <div data-testid="find">
      <h3>{p.findPerson}</h3>
      <form class="inline" onSubmit={search} noValidate>
        <Field name="login" label={p.findLogin} problem={problem} />
        <button disabled={busy}>{p.find}</button>
      </form>
      <Failure problem={problem} />
      <p role="status">{told}</p>
      {found && (
        <>
          <p><strong>{found.login}</strong> <span class="muted">{(found.roles ?? []).map((role) => p.roleNames[role] ?? role).join(', ')}</span></p>
          <div class="actions">
            {!has('teacher') && !found.minor && !found.made_by_class && (
              <button disabled={busy} onClick={() => change(() => accounts.giveRole(found.account, 'teacher'))}>{p.giveTeacher}</button>
            )}
            {has('teacher') && (
              <Ask button={p.takeTeacher} title={p.takeTeacherAsk(found.login)} text={p.takeTeacherText} danger disabled={busy}
                act={() => change(() => accounts.takeRole(found.account, 'teacher'))} />
            )}
            {found.second_factor && found.account !== me?.id && (
              <Ask button={p.factorReset} title={p.factorResetAsk(found.login)} text={p.factorResetText} danger disabled={busy}
                act={() => change(() => factor.endOf(found.account), p.factorResetDone)} />
            )}
          </div>
          {(found.minor || found.made_by_class) && <p class="muted">{p.minorNoTeacher}</p>}
          {found.account !== me?.id && <Correct key={found.account} account={found.account} onDone={() => change(async () => undefined)} />}
        </>
      )}
    </div>
  );
}
