import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';
import { secretsFolder } from '../../support/test-folder.ts';
import { seal } from '../../../server/inspect/storage.runtime.ts';
import { TAB } from '../../support/tool-cases.ts';

const rule = { tab: TAB, action: 'add', block: true };

const { folder, secrets } = secretsFolder('KEY=four-sails-37\n');
const file = join(folder, 'mill.svg');
writeFileSync(file, '<svg/>');

let server: MemoryServer;
beforeEach(async () => {
  server = await startMemoryServer({ uploadRoot: [folder], downloadRoot: folder, secrets });
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

const hashed = (bytes: string | Buffer) =>
  `${Buffer.from(bytes).length} bytes, SHA-256 ${createHash('sha256').update(bytes).digest('hex')}`;
const answering = { ...added, block: false, answer: { file } };
const ASKS = ['act.run', 'tab.intercept', 'storage.import'];

it.each([
  ['an answer', 'intercept', answering, '<p>\u202E1</p>', '<p>⟨U+202E⟩1</p>'],
  ['a picture', 'intercept', answering, '\0\u0001', hashed('\0\u0001')],
  ['words for a file', 'intercept', answering, hashed('\0'), hashed(hashed('\0'))],
  ['an upload', 'interact', { tab: TAB, steps: [`upload e6 ${file}`] }, 'CV', hashed('CV')],
  ['a field', 'interact', { tab: TAB, fields: { CV: file } }, 'CV', hashed('CV')],
])('a yes for %s is for the bytes that the card shows', async (_what, tool, args, text, shown) => {
  server.bridge.answer({ 'act.stage': async () => ({ received: 1 }) });
  const ask = async (content: string) => {
    writeFileSync(file, content);
    await server.call(tool, args);
    return server.bridge.calls.findLast(({ method }) => ASKS.includes(method))?.scope?.call;
  };
  const [first, same, other] = [await ask(text), await ask(text), await ask(`${text}2`)];
  expect(first).toMatchObject({ is_editable: false, args: { contents: { [file]: shown } } });
  expect(same?.args_hash).toBe(first?.args_hash);
  expect(other?.args_hash).not.toBe(first?.args_hash);
});

it('a card shows a file that is called like a secret', async () => {
  const named = join(folder, 'password');
  writeFileSync(named, 'four sails');
  await server.call('intercept', { ...answering, answer: { file: named } });
  expect(server.bridge.calls.at(-1)?.scope?.call.args?.['contents']).toEqual({ [named]: 'four sails' });
});

it('a yes for a stored state is for the bytes of its file', async () => {
  const state = { origin: 'https://a.test', cookies: [], local: [], session: [] };
  const sealed = seal(JSON.stringify(state), 'four-sails-37');
  writeFileSync(join(folder, 'state'), sealed);
  await server.call('storage', { tab: TAB, action: 'import', file: 'state', key: 'secret:KEY' });
  expect(server.bridge.calls.at(-1)?.scope?.call.args?.['contents']).toEqual({ state: hashed(sealed) });
});
