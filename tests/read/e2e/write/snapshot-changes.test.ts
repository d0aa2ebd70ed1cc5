import { expect, test } from 'vitest';
import type { ReadPageOptions } from '../../../../shared/read/read_page.methods.ts';
import { openPageLab } from '../../../support/page-lab/lab.ts';

const lab = await openPageLab();

const read = async (options: Partial<ReadPageOptions> = {}): Promise<string> =>
  (await lab.call('readShown', { format: 'snapshot', ...options })).text;
const diff = (): Promise<string> => read({ diff: true });
const edit = (code: string): Promise<unknown> => lab.page.evaluate(code);

const LIST = Array.from(
  { length: 200 },
  (_, at) => `<li id="row${at}"><a href="/${at}">Row ${at}</a></li>`,
).join('');

test('a change beyond the budget is not reported until that part was compared once', async () => {
  await lab.call('show', `<h1>List</h1><ul>${LIST}</ul>`);
  await read({ budget: 300 });
  await edit("document.querySelector('#row150 a').textContent = 'Changed'");
  expect(await diff()).toBe('');
  await edit("document.querySelector('#row151 a').textContent = 'Changed too'");
  expect(await diff()).toMatch(/^ {2}# List\n~ e\d+ Changed too \(was Row 151\)\n$/);
});

test('the baseline of an act is compared whole, also beyond the budget', async () => {
  await lab.call('show', `<h1>List</h1><ul>${LIST}</ul>`);
  await read({ budget: 300 });
  await edit("document.querySelector('#row2 a').textContent = 'Before the act'");
  expect(await read({ diff: true, purpose: 'baseline' })).toBe('');
  await edit("document.querySelector('#row150 a').textContent = 'By the act'");
  expect(await read({ diff: true, purpose: 'receipt' })).toMatch(
    /^ {2}# List\n~ e\d+ Before the act \(was Row 2\)\n~ e\d+ By the act \(was Row 150\)\n$/,
  );
});

test('reads as the last snapshot was read, unless more is asked for', async () => {
  await lab.call('show', '<h1>A</h1><p>text <a href="/x">link</a></p>');
  await read({ include_links: true });
  expect(await diff()).toBe('');
  await read({ interactive_only: true });
  await edit("document.querySelector('p').append(' more text')");
  expect(await diff()).toBe('');
  expect(await read({ diff: true, include_hidden: true })).toContain('# A\n');
});

test('a budget bounds what is said, and what follows can be read', async () => {
  await lab.call('show', '<h1>List</h1><ul></ul>');
  await read();
  await edit(`document.querySelector('ul').innerHTML = ${JSON.stringify(LIST)}`);
  const { text, left } = await lab.call('readShown', { format: 'snapshot', diff: true, budget: 120 });
  const last = /\+ e\d+ Row (\d+)\n$/.exec(text)?.[1];
  const rest = await read({ ref: left?.ref ?? '' });
  expect(rest).toMatch(new RegExp(`^e\\d+ Row ${Number(last) + 1}\n`));
  expect(await diff()).toBe('');
});

test('text typed into a password field is not reported', async () => {
  await lab.call('show', '<label>Password <input type="password"></label>');
  await read();
  await edit("document.querySelector('input').value = 'hunter2'");
  expect(await diff()).toMatch(/^~ e\d+ password \[filled\] Password\n$/);
});
