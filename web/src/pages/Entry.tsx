// Registering and logging in.

import { useState } from 'preact/hooks';
import { api, type Problem } from '../api';
import { go } from '../router';
import { useSession } from '../session';
import { t } from '../texts';
import { Failure } from './Failure';
import { asProblem, Field, typed } from './forms';

export function LogIn({ notice }: { notice?: string | undefined }) {
  const p = t.people;
  const { refresh } = useSession();
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const [second, setSecond] = useState(false);
  const submit = async (e: Event) => {
    const value = typed(e);
    setBusy(true);
    setProblem(undefined);
    try {
      await api.logIn(value('login'), value('password'), value('shared') === 'on', value('second_factor').trim());
      await refresh();
      go('/');
    } catch (e) {
      const failed = asProblem(e);
      // Asking for the code is no failure.
      if (failed.code === 'second_factor_required' && !second) setSecond(true);
      else setProblem(failed);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form class="card form" onSubmit={submit} noValidate>
      <h1>{t.logIn}</h1>
      {notice && <p class="notice" role="status">{notice}</p>}
      <Failure problem={problem} />
      <Field name="login" label={t.loginField} autocomplete="username" problem={problem} />
      <Field name="password" label={t.password} type="password" autocomplete="current-password" problem={problem} />
      {second && (
        <>
          <p class="notice" role="status">{p.factorAsk}</p>
          <Field name="second_factor" label={p.factorAnyCode} autocomplete="one-time-code" problem={problem} focus />
        </>
      )}
      <label class="check"><input type="checkbox" name="shared" /> {p.sharedHere}</label>
      <button class="main" disabled={busy}>{t.logIn}</button>
      <nav aria-label={p.otherWays}>
        <ul class="plain">
          <li><a href="/register">{t.register}</a></li>
          <li><a href="/first">{p.firstAccess}</a></li>
          <li><a href="/login/shared">{p.sharedLogin}</a></li>
        </ul>
      </nav>
    </form>
  );
}

export function Register() {
  const { about } = useSession();
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const asked = (name: string) => !about?.required_fields || about.required_fields.includes(name);
  const submit = async (e: Event) => {
    const value = typed(e);
    setBusy(true);
    setProblem(undefined);
    try {
      await api.register({
        login: value('login').trim(),
        password: value('password'),
        first_name: value('first_name').trim(),
        surname: value('surname').trim(),
        birth_date: value('birth_date').trim(),
        sex: value('sex'),
        policy: value('policy'),
      });
      go('/login/registered');
    } catch (e) {
      setProblem(asProblem(e));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form class="card form" onSubmit={submit} noValidate>
      <h1>{t.register}</h1>
      <Failure problem={problem} />
      <Field name="login" label={t.loginField} autocomplete="username" problem={problem} />
      <Field name="password" label={t.password} type="password" autocomplete="new-password" hint={t.passwordHint} problem={problem} />
      {asked('first_name') && <Field name="first_name" label={t.firstName} autocomplete="given-name" problem={problem} />}
      {asked('surname') && <Field name="surname" label={t.surname} autocomplete="family-name" problem={problem} />}
      {asked('birth_date') && (
        <Field name="birth_date" label={t.birthDate} autocomplete="bday" inputMode="text" problem={problem} />
      )}
      {asked('sex') && (
        <label class="field">
          <span>{t.sex}</span>
          <select name="sex" aria-invalid={problem?.fields.some((f) => f.field === 'sex') ?? false}>
            <option value="">{t.choose}</option>
            <option value="female">{t.female}</option>
            <option value="male">{t.male}</option>
            <option value="other">{t.other}</option>
            <option value="undisclosed">{t.undisclosed}</option>
          </select>
        </label>
      )}
      <label class="field">
        <span>{t.policy}</span>
        <select name="policy">
          <option value="guided">{t.guided}</option>
          <option value="open">{t.open}</option>
        </select>
      </label>
      <button class="main" disabled={busy}>{t.register}</button>
      <p><a href="/login">{t.logIn}</a></p>
    </form>
  );
}
