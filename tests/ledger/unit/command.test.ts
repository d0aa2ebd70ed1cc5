import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { addCommands } from '../../../server/cli/commands.ts';
import type { CommandIo } from '../../../server/core/command-io.ts';
import {
  runLedgerExport,
  runLedgerShow,
  runLedgerVerify,
  type Remembered,
} from '../../../server/ledger/command.ts';
import { serverCommand } from '../../../server/cli/options.ts';
import { temporaryHome } from '../../support/home.ts';
import { actOf, openLedger } from '../../support/ledger.ts';

let home: string;
let chain: string;

beforeEach(async () => {
  home = await temporaryHome();
  const ledger = openLedger(home);
  const receipt = await ledger.append(actOf('c1'));
  chain = receipt.chain;
  await ledger.finish(receipt, { outcome: 'failed', code: 'target_hidden' });
  const codex = { name: 'codex', client_session: 's2', server: 'server-1' };
  await ledger.append(
    actOf('c2', {
      kind: 'refused',
      agent: codex,
      site: 'https://www.shop.example:8443',
      tool: 'navigate',
      risks: ['navigate'],
      decided: { where: 'rule' },
      rule: 'rule_banks',
      grant: undefined,
      outcome: 'denied',
    }),
  );
  await ledger.append(
    actOf('c3', { agent: { ...codex, name: '' }, site: 'https://notshop.example', tool: 'navigate' }),
  );
  await ledger.close();
});

async function printed(
  run: (io: CommandIo) => Promise<number>,
): Promise<{ readonly code: number; readonly text: string }> {
  let text = '';
  const code = await run({ write: (part) => (text += part), isTerminal: false });
  return { code, text };
}

const show = (options: object) => printed((io) => runLedgerShow({ home, count: '50', ...options }, io));

async function shownCalls(options: object): Promise<(string | undefined)[]> {
  const { text } = await show({ json: true, ...options });
  const { lines }: { lines: { call_id?: string; kind: string }[] } = JSON.parse(text);
  return lines.map(({ call_id: id, kind }) => (kind === 'outcome' ? `${id} outcome` : id));
}

async function damage(): Promise<void> {
  const path = join(home, 'ledger', `${chain}.jsonl`);
  await writeFile(path, (await readFile(path, 'utf8')).replace('"tool":"navigate"', '"tool":"read_page"'));
}

it.each<[string, object, string[]]>([
  ['everything', {}, ['c1', 'c1 outcome', 'c2', 'c3']],
  ['an agent', { agent: 'Claude' }, ['c1', 'c1 outcome']],
  ['agents without a name', { agent: '' }, ['c3']],
  ['a host and its subdomains', { site: 'shop.example' }, ['c1', 'c1 outcome', 'c2']],
  ['a risk', { risk: 'navigate' }, ['c2']],
  ['an outcome', { outcome: 'denied' }, ['c2']],
  ['an error code', { outcome: 'target_hidden' }, ['c1 outcome']],
  ['a time', { since: '2026-11-20T12:00:00.005Z' }, ['c2', 'c3']],
  ['the newest', { count: '2' }, ['c2', 'c3']],
])('spillway ledger show %s', async (_what, options, calls) => {
  expect(await shownCalls(options)).toEqual(calls);
});

it('spillway ledger show names the sites of the text that came with an act', async () => {
  const ledger = openLedger(home);
  const how = { is_private: true, how: 'text', passages: 1, characters: 74 };
  const facts = { risks: ['carry_text'], sources: [{ site: 'https://mail.example', ...how }] };
  await ledger.append(actOf('c4', facts));
  await ledger.close();
  const { text } = await show({ site: 'mail.example' });
  expect(text).toContain('https://mail.example → https://shop.example');
  const { lines } = JSON.parse((await show({ site: 'mail.example', json: true })).text);
  expect(lines).toMatchObject([{ call_id: 'c4', sources: [{ characters: 74 }] }]);
});

it.each(['0', 'all', '1000000'])('spillway ledger show refuses --count %s', async (count) => {
  const program = serverCommand().exitOverride();
  addCommands(program);
  const line = ['ledger', 'show', '--home', home, `--count=${count}`];
  await expect(program.parseAsync(line, { from: 'user' })).rejects.toMatchObject({
    code: 'invalid_argument',
    message: expect.stringContaining('--count'),
  });
});

const verify = (options: object = {}, remembered: Remembered = { browsers: [], ends: [] }) =>
  printed((io) => runLedgerVerify({ home, ...options }, io, () => Promise.resolve(remembered)));

it('spillway ledger verify says that it is intact, and compares it with what open browsers remember', async () => {
  expect(await verify()).toMatchObject({
    code: 0,
    text: expect.stringContaining('5 sound lines in 1 chain'),
  });
  const work = await verify({}, { browsers: ['Work', 'Chromium'], ends: [{ chain, seq: 5 }] });
  expect(work).toMatchObject({ code: 0, text: expect.stringContaining('what Work and Chromium remember.') });
  const { code, text } = await verify({}, { browsers: ['Work'], ends: [{ chain, seq: 6 }] });
  expect([code, text]).toEqual([1, expect.stringContaining('shorter than the browser remembers')]);
});

it('spillway ledger verify names the line that is not, and what is sound before it', async () => {
  await damage();
  const { code, text } = await verify();
  expect(code).toBe(1);
  expect(text).toContain(`${chain}: lines 1 to 3 are sound`);
  expect(text).toContain('altered: line 4: it is not as it was written');
});

it('spillway ledger export prints lines whose hashes anyone can check', async () => {
  const { code, text } = await printed((io) => runLedgerExport({ home }, io));
  expect(code).toBe(0);
  let before = '0'.repeat(64);
  const lines = text.split('\n').slice(0, -1);
  expect(lines).toHaveLength(5);
  for (const line of lines) {
    const hash = /"hash":"([0-9a-f]{64})"/.exec(line)?.[1] ?? '';
    const body = line.replace(/"hash":"[0-9a-f]{64}",/, '').replace(/"mac":"[0-9a-f]{64}",/, '');
    expect(createHash('sha256').update(body).digest('hex')).toBe(hash);
    expect(JSON.parse(line)).toMatchObject({ prev: before });
    before = hash;
  }
});
