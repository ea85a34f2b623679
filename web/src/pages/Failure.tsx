// How a refusal is shown: one sentence, the fields at fault, the lessons missing, the
// classes in the way.

import type { Problem } from '../api';
import { say, t } from '../texts';

/** `sentence` stands in place of the general one where the page knows better what it was about. */
export function Failure({ problem, sentence }: { problem: Problem | undefined; sentence?: string }) {
  if (!problem) return null;
  const squares = problem.squares.length > 0 ? ` (${problem.squares.join(', ')})` : '';
  return (
    <div class="failure" role="alert" data-code={problem.code}>
      <p>{sentence ?? say(problem.code)}{squares}</p>
      {problem.fields.length > 0 && (
        <ul>
          {problem.fields.map((f) => (
            <li key={f.field}>
              {say(f.field)}{f.code && f.code !== problem.code ? `: ${say(f.code)}` : ''}
            </li>
          ))}
        </ul>
      )}
      {problem.lessons.length > 0 && (
        <>
          <p>{t.gateClosed}</p>
          <ul>{problem.lessons.map((lesson) => <li key={lesson}>{say(lesson)}</li>)}</ul>
        </>
      )}
      {problem.classes.length > 0 && <ul>{problem.classes.map((name) => <li key={name}>{name}</li>)}</ul>}
    </div>
  );
}
