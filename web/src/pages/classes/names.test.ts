import { expect, it } from 'vitest';
import { namesIn } from './names';

it('reads one name a line, as lists from elsewhere have them', () => {
  expect(namesIn('Ana Lima\n\n 2. João  da Silva \n3) Bia;4º B\n4\tCaio\t12/03/2015\r\nDavi', [])).toEqual(
    ['Ana Lima', 'João da Silva', 'Bia', 'Caio', 'Davi'].map((text) => ({ text })));
});

it('remarks names that come twice, that the class has, and that are too long', () => {
  const long = 'é'.repeat(65);
  expect(namesIn(`Ana\nana\nBIA\n${long}\n${'é'.repeat(64)}`, ['Bia'])).toEqual([
    { text: 'Ana' }, { text: 'ana', remark: 'twice' }, { text: 'BIA', remark: 'there' }, { text: long, remark: 'long' },
    { text: 'é'.repeat(64) },
  ]);
  expect(namesIn(' \n\t\n', [])).toEqual([]);
});
