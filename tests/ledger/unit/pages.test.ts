import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLedgerPages } from '../../../server/ledger/index.ts';
import { temporaryHome } from '../../support/home.ts';
import { actOf, openLedger, steadyClock } from '../../support/ledger.ts';

const never = new AbortController().signal;

async function allOf(home: string, limit: number): Promise<readonly Record<string, unknown>[]> {
  const read = createLedgerPages(home);
  const lines = [];
  for (let before: string | undefined; ;) {
    const page = await read({ before, limit }, never);
    lines.push(...page.lines);
    expect(page.lines.length).toBeLessThanOrEqual(limit);
    if (page.next === null) return lines;
    before = page.next;
  }
}

async function checked(home: string) {
  const read = createLedgerPages(home);
  for (;;) {
    const page = await read({ limit: 5 }, never);
    if (page.is_intact !== null) return page;
  }
}

const callsOf = (lines: readonly Record<string, unknown>[]): unknown[] =>
  lines.map((line) => line['call_id']);

it.each([1, 7])(
  'the ledger, page by page merges chains that were written at the same time, the newest first: %i a page',
  async (limit) => {
    const home = await temporaryHome();
    const clock = steadyClock();
    const [one, other] = [openLedger(home, { clock }), openLedger(home, { clock })];
    for (let n = 0; n < 10; n += 1) await (n % 3 === 0 ? one : other).append(actOf(`c${n}`));
    await Promise.all([one.close(), other.close()]);
    const third = openLedger(home, { clock });
    await third.append(actOf('c10'));
    await third.close();
    const lines = await allOf(home, limit);
    expect(callsOf(lines)).toEqual(Array.from({ length: 11 }, (_, n) => `c${10 - n}`));
    expect(new Set(lines.map(({ chain }) => chain)).size).toBe(3);
  },
);

it('the ledger, page by page says what is wrong with it, and shows what is as it was written', async () => {
  const home = await temporaryHome();
  const ledger = openLedger(home);
  for (const call of ['c1', 'c2', 'c3']) await ledger.append(actOf(call));
  await ledger.close();
  expect(await checked(home)).toMatchObject({ is_intact: true, problems: [] });
  const [chain = ''] = await readdir(join(home, 'ledger'));
  const path = join(home, 'ledger', chain);
  await writeFile(path, (await readFile(path, 'utf8')).replace('"c2"', '"c9"'));
  const damaged = await checked(home);
  expect(damaged).toMatchObject({ is_intact: false, problems: [expect.stringContaining('line 3')] });
  expect(callsOf(damaged.lines as never)).toEqual(['c3', 'c1']);
});

it('the ledger, page by page a line that nobody has ended, and a file that is gone, keep nothing from being read', async () => {
  const home = await temporaryHome();
  const clock = steadyClock();
  for (const call of ['c1', 'c2']) {
    const ledger = openLedger(home, { clock });
    await ledger.append(actOf(call));
    await ledger.close();
  }
  const [first = '', second = ''] = await readdir(join(home, 'ledger'));
  await writeFile(join(home, 'ledger', second), '{"torn', { flag: 'a' });
  expect(callsOf(await allOf(home, 5))).toEqual(['c2', 'c1']);
  await rm(join(home, 'ledger', first));
  expect(callsOf(await allOf(home, 5))).toEqual(['c2']);
  expect(await checked(home)).toMatchObject({ is_intact: false });
});
