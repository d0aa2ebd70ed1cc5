import { appendFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readLedger } from '../../../server/ledger/verify.ts';
import type { Line } from '../../../server/ledger/lines.ts';
import { rounds } from '../../support/depth.ts';
import { codeOf } from '../../support/code-of.ts';
import { temporaryHome } from '../../support/home.ts';
import { actOf, openLedger, steadyClock } from '../../support/ledger.ts';

async function linesOf(home: string): Promise<Line[]> {
  const lines: Line[] = [];
  await readLedger(home, (line) => lines.push(line));
  return lines;
}

const chainsOf = (home: string): Promise<string[]> => readdir(join(home, 'ledger'));

it('touches no disk before the first line, and keeps files to their owner', async () => {
  const home = await temporaryHome();
  await openLedger(home).close();
  expect(await readdir(home)).toEqual([]);
  const ledger = openLedger(home);
  await ledger.append(actOf('c1'));
  await ledger.close();
  const modes = await Promise.all(
    (await readdir(home, { recursive: true })).map(async (name) => {
      const stats = await stat(join(home, name));
      return [stats.isDirectory(), (stats.mode & 0o777).toString(8)];
    }),
  );
  expect(modes).toHaveLength(5);
  for (const [isFolder, mode] of modes) expect(mode).toBe(isFolder === true ? '700' : '600');
});

it('writes who asked, who decided and what was done, and the outcome as a line of its own', async () => {
  const home = await temporaryHome();
  const ledger = openLedger(home);
  const receipt = await ledger.append(actOf('c1'));
  // A text that is too long for a line is cut.
  await ledger.append(actOf('c2', { site: `https://${'a'.repeat(100_000)}` }));
  await ledger.finish(receipt, { outcome: 'failed', code: 'target_hidden' });
  await ledger.close();
  const [opening, act, long, outcome] = await linesOf(home);
  expect(long?.site).toBe(`https://${'a'.repeat(992)}`);
  expect(opening).toMatchObject({ seq: 1, kind: 'opened', chain: receipt.chain, continues: [] });
  expect(act).toMatchObject({ ...actOf('c1'), seq: 2, kind: 'act', hash: receipt.hash, prev: opening?.hash });
  expect(outcome).toMatchObject({
    kind: 'outcome',
    of: { chain: receipt.chain, seq: 2 },
    outcome: 'failed',
    code: 'target_hidden',
    call_id: 'c1',
    site: 'https://shop.example',
  });
});

it('lines that come at once are one group in the order in which they came, and none comes after the end', async () => {
  const home = await temporaryHome();
  const ledger = openLedger(home);
  const count = rounds(10_000, 500);
  const receipts = await Promise.all(
    Array.from({ length: count }, (_, at) => ledger.append(actOf(`c${at}`))),
  );
  await ledger.close();
  expect(await codeOf(ledger.append(actOf('late')))).toBe('ledger_unavailable');
  const chains = [{ sound: count + 1 }];
  expect(await readLedger(home)).toMatchObject({ ok: true, lines: count + 1, chains });
  expect(receipts.map(({ seq }) => seq)).toEqual(receipts.map((_, at) => at + 2));
  expect((await linesOf(home)).slice(1).map(({ call_id: id }) => id)).toEqual(
    receipts.map((_, at) => `c${at}`),
  );
});

it('eight writers of one home each have a chain, and later ones name all of them', async () => {
  const home = await temporaryHome();
  const ledgers = Array.from({ length: 8 }, () => openLedger(home));
  await Promise.all(
    ledgers.flatMap((ledger, writer) =>
      Array.from({ length: 50 }, (_, at) => ledger.append(actOf(`w${writer}.${at}`))),
    ),
  );
  await Promise.all(ledgers.map((ledger) => ledger.close()));
  const last = openLedger(home);
  const { chain } = await last.append(actOf('last'));
  await last.close();
  expect(await readLedger(home)).toMatchObject({ ok: true, lines: 8 * 51 + 2 });
  const lines = await linesOf(home);
  const named = lines.flatMap(({ continues }) => (continues as { chain: string }[] | undefined) ?? []);
  const others = (await chainsOf(home)).filter((name) => name !== `${chain}.jsonl`);
  expect(others).toHaveLength(8);
  expect(new Set(named.map((link) => `${link.chain}.jsonl`))).toEqual(new Set(others));
});

it('shows where the clock was set, without calling it damage', async () => {
  const home = await temporaryHome();
  const clock = steadyClock();
  const ledger = openLedger(home, { clock });
  await ledger.append(actOf('c1'));
  clock.step(-3_600_000);
  await ledger.append(actOf('c2'));
  clock.step(60_000);
  await ledger.append(actOf('c3'));
  await ledger.close();
  const { ok, chains } = await readLedger(home);
  expect(ok).toBe(true);
  expect(chains[0]?.clock_steps).toEqual([
    { line: 3, by_ms: -3_600_000 },
    { line: 4, by_ms: 60_000 },
  ]);
});

it('a server of an hour ago is named by the next one, whatever the clock says', async () => {
  const home = await temporaryHome();
  const [noon, eleven] = [12, 11].map((hour) => steadyClock(Date.UTC(2026, 10, 20, hour)));
  for (const clock of [noon, eleven]) {
    const ledger = openLedger(home, clock === undefined ? {} : { clock });
    await ledger.append(actOf('c1'));
    await ledger.close();
  }
  const [earlier, later] = await linesOf(home).then((lines) => lines.filter(({ seq }) => seq === 1));
  // By name, the second one's file comes first.
  expect(earlier?.continues).toMatchObject([{ chain: later?.chain, seq: 2 }]);
});

it.each([
  ['removed', (path: string) => rm(path)],
  ['replaced', (path: string) => rm(path).then(() => writeFile(path, ''))],
  ['added to', (path: string) => appendFile(path, '{}\n')],
])('a file that was %s while its server runs takes no further line, and tells', async (_what, damage) => {
  const home = await temporaryHome();
  const ledger = openLedger(home);
  const before = await ledger.append(actOf('c1'));
  await damage(join(home, 'ledger', `${before.chain}.jsonl`));
  const after = await ledger.append(actOf('c2'));
  await ledger.close();
  expect(after.chain).not.toBe(before.chain);
  const { ok, chains } = await readLedger(home);
  expect(ok).toBe(false);
  expect(chains.find(({ chain }) => chain === after.chain)).toMatchObject({ sound: 2, problems: [] });
});

it('a torn end beyond the head is not damage, and the next server begins a chain of its own', async () => {
  const home = await temporaryHome();
  const killed = openLedger(home);
  const { chain } = await killed.append(actOf('c1'));
  await killed.close();
  const path = join(home, 'ledger', `${chain}.jsonl`);
  const last = (await readFile(path, 'utf8')).split('\n')[1] ?? '';
  await appendFile(path, last.slice(0, 100));
  const next = openLedger(home);
  await next.append(actOf('c2'));
  await next.close();
  const { ok, chains } = await readLedger(home);
  expect(ok).toBe(true);
  expect(chains.find((each) => each.chain === chain)).toMatchObject({ sound: 2, torn_bytes: 100 });
});

it('refuses while a file is where its folder belongs, leaves nothing, and continues afterwards', async () => {
  const home = await temporaryHome();
  await writeFile(join(home, 'ledger'), '');
  const ledger = openLedger(home);
  await expect(ledger.append(actOf('c1'))).rejects.toMatchObject({
    code: 'ledger_unavailable',
    retryable: true,
    message: expect.stringContaining(join(home, 'ledger')),
  });
  await rm(join(home, 'ledger'));
  await ledger.append(actOf('c2'));
  await ledger.close();
  expect(await readLedger(home)).toMatchObject({ ok: true, lines: 2 });
});
