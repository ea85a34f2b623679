import { expect, test } from 'vitest';
import { changed } from './Correct';

const before = { account: 'a', login: 'ana', first_name: 'Ana', birth_date: '2016-02-29' };
const form = (values: Record<string, string>) => (name: string) => values[name] ?? '';

test('what stays is not sent', () => {
  expect(changed(before, form({ first_name: ' Ana ', birth_date: '29/02/2016' }))).toEqual({});
});

test('what is otherwise is sent, also where it is empty now', () => {
  expect(changed(before, form({ first_name: 'Anna', surname: 'Souza', sex: 'other' }))).toEqual({
    first_name: 'Anna', surname: 'Souza', birth_date: '', sex: 'other',
  });
});
