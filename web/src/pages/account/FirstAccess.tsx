// The first log-in of a pupil: the slip's login and code, and a password of one's own.

import { api } from '../../api';
import { accounts } from '../../calls/account';
import { go } from '../../router';
import { useSession } from '../../session';
import { t } from '../../texts';
import { Failure } from '../Failure';
import { Field, typed, useAct } from '../forms';

export function FirstAccess() {
  const { refresh } = useSession();
  const { problem, busy, act } = useAct();
  const p = t.people;
  const submit = (e: Event) => {
    const value = typed(e);
    const login = value('login').trim();
    void act(async () => {
      await accounts.firstAccess(login, value('code').trim(), value('password'));
      await api.logIn(login, value('password'), value('shared') === 'on');
      await refresh();
      go('/');
    });
  };
  return (
    <form class="card form" onSubmit={submit} noValidate>
      <h1>{p.firstAccess}</h1>
      <p>{p.firstText}</p>
      <Failure problem={problem} />
      <Field name="login" label={t.loginField} autocomplete="username" problem={problem} />
      <Field name="code" label={p.accessCode} problem={problem} />
      <Field name="password" label={p.newPassword} type="password" autocomplete="new-password" hint={t.passwordHint} problem={problem} />
      <label class="check"><input type="checkbox" name="shared" /> {p.sharedHere}</label>
      <button class="main" disabled={busy}>{p.firstButton}</button>
      <p><a href="/login">{t.logIn}</a></p>
    </form>
  );
}
