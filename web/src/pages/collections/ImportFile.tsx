// Importing a file of records: how far it is, and what was found in it.

import { useEffect, useState } from 'preact/hooks';
import { collections, type Collection, type Import, type ImportNote } from '../../calls/collections';
import { Problem } from '../../api';
import { say, t } from '../../texts';
import { Failure } from '../Failure';
import { Scroll, useAct } from '../forms';

const p = t.people;
const mostBytes = 64 * 1024 * 1024;

/** A size as people say it. */
export function sizeOf(bytes: number): string {
  const [n, unit] = bytes < 1024 ? [bytes, 'B'] : bytes < 1024 * 1024 ? [bytes / 1024, 'KiB'] : [bytes / 1024 / 1024, 'MiB'];
  return `${n.toLocaleString('pt-BR', { maximumFractionDigits: n < 10 && unit !== 'B' ? 1 : 0 })} ${unit}`;
}

const wordFor = (note: ImportNote) => {
  if (note.code === 'duplicate') return note.record ? p.duplicateOf(note.record) : say(note.code);
  return note.ply ? `${say(note.code)} (${p.atPly(note.ply)})` : say(note.code);
};

function Report({ report }: { report: Import }) {
  const counts = (['duplicates', 'spoiled', 'flawed', 'over'] as const).filter((name) => (report[name] ?? 0) > 0);
  const notes = [...(report.notes ?? [])].sort((a, b) => a.index - b.index);
  return (
    <div data-testid="report">
      <h3>{p.report}</h3>
      <p role="status" class="notice">{report.status === 'broken_off' ? p.brokenOff : p.reportLine(report.added ?? 0, report.found ?? 0)}</p>
      {counts.length > 0 && (
        <ul>{counts.map((name) => <li key={name}>{(report[name] ?? 0).toLocaleString('pt-BR')} {p.counts[name]}</li>)}</ul>
      )}
      {notes.length > 0 && (
        <Scroll label={p.report}>
          <table>
            <thead>
              <tr>{Object.entries(p.note).map(([name, text]) => <th key={name} scope="col">{text}</th>)}</tr>
            </thead>
            <tbody>
              {notes.map((note, i) => (
                <tr key={i}>
                  <td>{note.index}</td>
                  <td>{note.players ?? '—'}</td>
                  <td>{note.line ? `${note.line}:${note.column ?? 1}` : '—'}</td>
                  <td>{wordFor(note)}</td>
                  <td>{note.left_out ? p.leftOut : p.taken}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </div>
  );
}

/** How far the server is with the newest import, as long as one runs. */
function useProgress(id: string, running: boolean) {
  const [progress, setProgress] = useState<Import>();
  useEffect(() => {
    setProgress(undefined);
    if (!running) return undefined;
    let stopped = false;
    let timer = 0;
    const look = async () => {
      const newest = await collections.imports(id).then((all) => all[0], () => undefined);
      if (stopped) return;
      if (newest?.status === 'running') setProgress(newest);
      timer = window.setTimeout(look, 700);
    };
    timer = window.setTimeout(look, 300);
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [id, running]);
  return progress;
}

export function ImportFile({ collection, onDone }: { collection: Collection; onDone: () => void }) {
  const { problem, busy, act } = useAct();
  const [report, setReport] = useState<Import>();
  const [wrong, setWrong] = useState('');
  const progress = useProgress(collection.id, busy);
  const [size, setSize] = useState(0);
  const submit = (e: Event) => {
    e.preventDefault();
    const form = e.currentTarget as HTMLFormElement;
    const file = new FormData(form).get('file');
    setReport(undefined);
    if (!(file instanceof File) || file.size === 0) return setWrong(p.chooseFile);
    if (file.size > mostBytes) return setWrong(p.fileLarge);
    setWrong('');
    setSize(file.size);
    return void act(async () => {
      const done = await collections.upload(collection.id, file);
      if (!done) throw new Problem('internal', 500);
      setReport(done);
      form.reset();
      onDone();
    });
  };
  const read = progress?.read ?? 0;
  return (
    <section class="card" data-testid="import">
      <h2>{p.importFile}</h2>
      <form class="inline" onSubmit={submit} noValidate>
        <Failure problem={problem} />
        {wrong && <p class="failure" role="alert">{wrong}</p>}
        <label class="field">
          <span>{p.file} ({p.importHint[collection.rules]})</span>
          <input type="file" name="file" accept=".pgn,.pdn,.txt" aria-invalid={!!wrong} />
        </label>
        {busy && (
          <label class="field">
            <span role="status">{p.importing(sizeOf(read), sizeOf(size))}</span>
            <progress max={size} value={read} />
          </label>
        )}
        <button class="main" disabled={busy}>{p.importNow}</button>
      </form>
      {report && <Report report={report} />}
    </section>
  );
}
