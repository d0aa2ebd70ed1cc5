import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { SpillwayError } from '../../../shared/errors.ts';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';
import { testFolder } from '../../support/test-folder.ts';
import { TAB } from '../../support/tool-cases.ts';

const rule = { tab: TAB, action: 'add', block: true };

const folder = testFolder();
const file = join(folder, 'mill.svg');
writeFileSync(file, '<svg/>');

let server: MemoryServer;
beforeEach(async () => {
  server = await startMemoryServer({ uploadRoot: [folder] });
  server.bridge.addBrowser();
});

it('names rules that are added at once differently', async () => {
  const urls = ['**/ads/**', '**/api/**'];
  const answers = await Promise.all(urls.map((url) => server.call('intercept', { ...rule, url })));
  expect(answers.map((answer) => answer.json<{ rules: object[] }>().rules)).toMatchObject([
    [{ id: 'r1', url: urls[0] }],
    [{ id: 'r2', url: urls[1] }],
  ]);
});

it('bounds the rules that a tab has, whatever was removed, and a person was asked before', async () => {
  let isAsked = false;
  server.bridge.answer({
    'question.wait': async () => ({ decision: null, end: 'gone' }),
    'tab.intercept': async () => {
      isAsked = !isAsked;
      if (isAsked) throw new SpillwayError('approval_required', 'It asks.', { questionId: 'b1:q_1' });
      return { rules: [] };
    },
  });
  const add = async () => (await server.call('intercept', { ...rule, url: '**' })).code();
  for (let rules = 0; rules < 50; rules += 1) expect(await add()).toBeUndefined();
  expect(await add()).toBe('invalid_argument');
  await server.call('intercept', { tab: TAB, action: 'remove', rule: 'r2' });
  expect(await add()).toBeUndefined();
});

it.each([
  [{ status: 422 }, { status: 422, phrase: 'Unprocessable Entity' }],
  [{ status: 520 }, { status: 520, phrase: 'Unknown' }],
  [{ file }, { headers: { 'content-type': 'image/svg+xml' } }],
  [{ file, headers: { 'Content-Type': 'a/b' } }, { headers: { 'Content-Type': 'a/b' } }],
])('passes on an answer with all that the browser needs: case %#', async (answer, passed) => {
  let passedOn: unknown;
  server.bridge.answer({ 'tab.intercept': async ({ add }) => ((passedOn = add?.act.answer), { rules: [] }) });
  await server.call('intercept', { tab: TAB, action: 'add', url: '**', answer });
  expect(passedOn).toEqual(expect.objectContaining(passed));
});

const added = { ...rule, url: '**' };
it.each([
  ['intercept', 'r1', added, {}, true],
  ['intercept', 'r1', added, { action: 'remove' }, false],
  ['emulate', 'touch', { touch: true }, { print: true }, true],
  ['emulate', 'touch', { touch: true }, { reset: true }, false],
])('says what ended by itself in a tab, once: %s %s', async (tool, name, first, next, isListed) => {
  await server.call(tool, { tab: TAB, ...first });
  server.bridge.answer({
    'tab.intercept': async () => ({ rules: [] }),
    'tab.emulate': async () => ({ emulates: {} }),
  });
  const isNamed = async () => (await server.call(tool, { tab: TAB, ...next })).notes.includes(`: ${name}.`);
  expect([await isNamed(), await isNamed()]).toEqual([isListed, false]);
});
