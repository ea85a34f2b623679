// A list of names as somebody pastes it, and what is to be said of each.

export const mostNames = 200;
const longest = 64;

export interface Name {
  text: string;
  /** Why a look at it is needed; a name that is too long cannot be added. */
  remark?: 'twice' | 'there' | 'long';
}

/** One name a line. Numbers and dots before a name, and cells after a tab or semicolon, are left out. */
export function namesIn(pasted: string, present: readonly string[]): Name[] {
  const known = new Set(present.map((name) => name.toLocaleLowerCase('pt-BR')));
  const seen = new Set<string>();
  const names: Name[] = [];
  for (const line of pasted.split(/[\r\n]+/)) {
    const text = (line.replace(/^\s*\d+\s*[.)\-–]?[\s\t;]+/, '').split(/[\t;]/)[0] ?? '').replace(/\s+/g, ' ').trim();
    if (!text) continue;
    const key = text.toLocaleLowerCase('pt-BR');
    if ([...text].length > longest) names.push({ text, remark: 'long' });
    else if (seen.has(key)) names.push({ text, remark: 'twice' });
    else if (known.has(key)) names.push({ text, remark: 'there' });
    else names.push({ text });
    seen.add(key);
  }
  return names;
}
