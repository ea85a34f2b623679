// Accounts for a list of names: pasted, looked at, made.

import { useState } from 'preact/hooks';
import { classes, type Slip } from '../../calls/classes';
import { t } from '../../texts';
import { Failure } from '../Failure';
import { useAct } from '../forms';
import { mostNames, namesIn } from './names';

const p = t.people;

export function AddPupils({ id, present, onMade }: { id: string; present: readonly string[]; onMade: (slips: Slip[]) => void }) {
  const { problem, busy, act } = useAct();
  const [pasted, setPasted] = useState('');
  const names = namesIn(pasted, present);
  const good = names.filter((n) => n.remark !== 'long').map((n) => n.text);
  const remarks = { twice: p.nameTwice, there: p.nameThere, long: p.nameLong };
  return (
    <section class="card" data-testid="add-pupils">
      <h2>{p.addPupils}</h2>
      <div class="inline">
        <Failure problem={problem} />
        <label class="field">
          <span>{p.pasteNames}</span>
          <textarea name="names" rows={6} value={pasted} aria-describedby="names-hint" autocomplete="off"
            onInput={(e) => setPasted(e.currentTarget.value)} />
          <small id="names-hint">{p.namesHint}</small>
        </label>
        <p role="status" data-testid="to-add">{names.length > 0 ? p.toAdd(good.length) : ''}</p>
        {names.length > 0 && (
          <ol class="names" data-testid="preview">
            {names.map((name, i) => (
              <li key={i} class={name.remark ? 'wrong' : ''}>{name.text}{name.remark && ` (${remarks[name.remark]})`}</li>
            ))}
          </ol>
        )}
        {good.length > mostNames && <p class="failure" role="alert">{p.tooManyNames}</p>}
        <button class="main" disabled={busy || good.length === 0 || good.length > mostNames} onClick={() => act(async () => {
          const slips = await classes.addPupils(id, good);
          setPasted('');
          onMade(slips);
        })}>
          {p.createAccounts(good.length)}
        </button>
      </div>
    </section>
  );
}
