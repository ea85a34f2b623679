// What forms have in common: fields, what was typed, and one thing done at a time.

import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { Problem } from '../api';
import { t } from '../texts';

export const asProblem = (e: unknown) => (e instanceof Problem ? e : new Problem('internal', 500));

export interface FieldProps {
  name: string;
  label: string;
  type?: 'text' | 'password';
  hint?: string;
  autocomplete?: string;
  problem?: Problem | undefined;
  inputMode?: 'text' | 'numeric';
  value?: string;
  maxLength?: number;
  /** True where typing goes on here as soon as the field appears. */
  focus?: boolean;
}

export function Field({
  name, label, type = 'text', hint, autocomplete = 'off', problem, inputMode = 'text', value, maxLength, focus = false,
}: FieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => { if (focus) input.current?.focus(); }, []);
  const wrong = problem?.fields.some((f) => f.field === name) ?? false;
  return (
    <label class="field">
      <span>{label}</span>
      <input ref={input} name={name} type={type as 'text'} autocomplete={autocomplete as 'off'} inputMode={inputMode} aria-invalid={wrong}
        aria-describedby={hint ? `${name}-hint` : undefined} {...(value === undefined ? {} : { defaultValue: value })}
        {...(maxLength ? { maxLength } : {})} />
      {hint && <small id={`${name}-hint`}>{hint}</small>}
    </label>
  );
}

export function Choice({ name, label, options, value }: { name: string; label: string; options: [string, string][]; value?: string }) {
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name}>
        {options.map(([key, text]) => <option key={key} value={key} selected={key === value}>{text}</option>)}
      </select>
    </label>
  );
}

export type Typed = (name: string) => string;

/** What is typed in a form, by name. */
export function typed(e: Event): Typed {
  e.preventDefault();
  const data = new FormData(e.currentTarget as HTMLFormElement);
  return (name) => {
    const value = data.get(name);
    return typeof value === 'string' ? value : '';
  };
}

/** One thing at a time: whether it is being done, and what went wrong. */
export function useAct() {
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const act = useCallback(async (what: () => Promise<unknown>) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await what();
    } catch (e) {
      setProblem(asProblem(e));
    } finally {
      setBusy(false);
    }
  }, []);
  return { problem, busy, act };
}

/** Something to read, again when the key changes or on request. */
export function useRead<T>(key: string, read: () => Promise<T>) {
  const [state, setState] = useState<{ key: string; value?: T; problem?: Problem }>({ key: '' });
  const newest = useRef(0);
  const again = useCallback(async () => {
    const turn = ++newest.current;
    try {
      const value = await read();
      if (turn === newest.current) setState({ key, value });
    } catch (e) {
      if (turn === newest.current) setState({ key, problem: asProblem(e) });
    }
  }, [key]);
  useEffect(() => {
    void again();
    return () => { newest.current++; };
  }, [key]);
  return { ...(state.key === key ? state : { key }), again } as { value?: T; problem?: Problem; again: () => Promise<void> };
}

/** A secret that is shown once, to copy. */
export function Secret({ label, text, note }: { label: string; text: string; note?: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    input.current?.focus();
    setCopied(false);
  }, [text]);
  const copy = async () => {
    input.current?.select();
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Without https browsers have no clipboard for scripts; the old way has one.
      document.execCommand('copy');
    }
    setCopied(true);
  };
  return (
    <div class="secret notice">
      {note && <p>{note}</p>}
      <label class="field">
        <span>{label}</span>
        <input ref={input} readOnly value={text} data-testid="secret" onFocus={(e) => e.currentTarget.select()} />
      </label>
      <button type="button" onClick={copy}>{t.people.copy}</button>
      <span role="status">{copied ? ` ${t.people.copied}` : ''}</span>
    </div>
  );
}

/** A table that scrolls by itself where the screen is narrow. */
export function Scroll({ label, children }: { label: string; children: ComponentChildren }) {
  return <div class="scroll" role="region" aria-label={label} tabIndex={0}>{children}</div>;
}

const days = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short' });
const times = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'short' });
export const dayOf = (iso: string) => days.format(new Date(iso));
export const timeOf = (iso: string) => times.format(new Date(iso));
/** A day as the server writes it, without a time of day: yyyy-mm-dd. */
export const isoDay = (day: string) => day.split('-').reverse().join('/');

/** Hands a text or a file of the server to the browser to keep. */
export function keep(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Fetches a file and keeps it, under the name that the server gives or another. */
export async function download(path: string, name: string): Promise<void> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: 'same-origin' });
    if (response.ok) {
      const given = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1];
      keep(await response.blob(), given ?? name);
      return;
    }
  } catch {
    throw new Problem('offline', 0);
  }
  const value = (await response.json().catch(() => ({}))) as { code?: string };
  throw new Problem(value.code ?? 'internal', response.status);
}
