import { copyFile, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readLedger } from '../../../server/ledger/verify.ts';
import { temporaryHome } from '../../support/home.ts';
import { actOf, openLedger } from '../../support/ledger.ts';

/* Verdicts of `spillway ledger verify` on tampered ledgers of two chains; the second names the first. */

const ACTS = 6;

let home: string;
let first: string;
let second: string;

beforeEach(async () => {
  home = await temporaryHome();
  for (let server = 0; server < 2; server += 1) {
    const ledger = openLedger(home);
    for (let act = 1; act <= ACTS; act += 1) {
      const { chain } = await ledger.append(actOf(`c${server}.${act}`));
      if (server === 0) first = chain;
      else second = chain;
    }
    await ledger.close();
  }
});

const fileOf = (chain: string): string => join(home, 'ledger', `${chain}.jsonl`);
const headOf = (chain: string): string => join(home, 'ledger-heads', `${chain}.head`);

/** Changes the lines of a chain; the first is at 0. */
async function change(chain: string, edit: (lines: string[]) => string[]): Promise<void> {
  const lines = (await readFile(fileOf(chain), 'utf8')).split('\n').slice(0, -1);
  await writeFile(
    fileOf(chain),
    edit(lines)
      .map((line) => `${line}\n`)
      .join(''),
  );
}

const swap = (lines: string[], a: number, b: number): string[] =>
  lines.map((line, at) => (at === a ? (lines[b] ?? '') : at === b ? (lines[a] ?? '') : line));

async function verdict(): Promise<object[]> {
  const report = await readLedger(home);
  expect(report.ok).toBe(report.problems.length === 0);
  return report.problems.map(({ damage, chain, line }) => ({
    damage,
    chain: chain === first ? 'first' : chain === second ? 'second' : chain,
    line,
  }));
}

it('an untouched ledger is intact', async () => {
  const report = await readLedger(home);
  expect(report).toMatchObject({ ok: true, lines: 2 * (ACTS + 1), problems: [] });
  expect(report.chains.map(({ sound, acknowledged }) => [sound, acknowledged])).toEqual([
    [ACTS + 1, ACTS + 1],
    [ACTS + 1, ACTS + 1],
  ]);
});

describe('a line', () => {
  it.each<[string, string, number, (lines: string[]) => string[]]>([
    ['altered', 'altered', 4, (lines) => lines.with(3, (lines[3] ?? '').replace('shop.', 'mail.'))],
    // Its hash and the head match: only the key reveals it.
    [
      'with another seal',
      'inserted',
      4,
      (lines) => lines.with(3, (lines[3] ?? '').replace(/"mac":"[0-9a-f]+"/, `"mac":"${'0'.repeat(64)}"`)),
    ],
    ['removed', 'removed', 4, (lines) => lines.toSpliced(3, 1)],
    ['removed at the start', 'removed', 1, (lines) => lines.slice(1)],
    ['repeated', 'inserted', 5, (lines) => lines.toSpliced(4, 0, lines[2] ?? '')],
    ['swapped with the next', 'reordered', 6, (lines) => swap(lines, 5, 6)],
    ['cut off at the end', 'truncated', ACTS + 1, (lines) => lines.slice(0, -1)],
    ['cut off with all others', 'truncated', 1, () => []],
    ['added at the end', 'inserted', ACTS + 2, (lines) => [...lines, lines.at(-1) ?? '']],
  ])('%s', async (_what, damage, line, edit) => {
    await change(second, edit);
    expect(await verdict()).toEqual([{ damage, chain: 'second', line }]);
    const { chains } = await readLedger(home);
    expect(chains.find(({ chain }) => chain === second)?.sound).toBe(line - 1);
  });

  it('written again with all after it, by someone without the key', async () => {
    const other = await temporaryHome();
    const forged = openLedger(other);
    const { chain } = await forged.append(actOf('forged'));
    await forged.close();
    const [, line = ''] = (await readFile(join(other, 'ledger', `${chain}.jsonl`), 'utf8')).split('\n');
    await change(second, (lines) => [...lines, line]);
    expect(await verdict()).toEqual([{ damage: 'inserted', chain: 'second', line: ACTS + 2 }]);
  });
});

describe('a file', () => {
  it.each([
    ['removed', 'second', () => rm(fileOf(second))],
    [
      'removed with its head, when a later chain names it',
      'first',
      () => rm(fileOf(first)).then(() => rm(headOf(first))),
    ],
  ])('%s', async (_what, chain, remove) => {
    await remove();
    expect(await verdict()).toEqual([{ damage: 'file_removed', chain, line: null }]);
  });

  it('swapped with another', async () => {
    await rename(fileOf(first), `${fileOf(first)}.x`);
    await rename(fileOf(second), fileOf(first));
    await rename(`${fileOf(first)}.x`, fileOf(second));
    const found = await verdict();
    expect(found).toContainEqual({ damage: 'file_replaced', chain: 'first', line: 1 });
    expect(found).toContainEqual({ damage: 'file_replaced', chain: 'second', line: 1 });
  });

  it('put back to an earlier state along with its head, when a later chain names its end', async () => {
    const earlier = await temporaryHome();
    const ledger = openLedger(home);
    const { chain } = await ledger.append(actOf('c3.1'));
    await copyFile(fileOf(chain), join(earlier, 'chain'));
    await copyFile(headOf(chain), join(earlier, 'head'));
    await ledger.append(actOf('c3.2'));
    await ledger.close();
    const later = openLedger(home);
    await later.append(actOf('c4.1'));
    await later.close();
    await copyFile(join(earlier, 'chain'), fileOf(chain));
    await copyFile(join(earlier, 'head'), headOf(chain));
    expect(await verdict()).toEqual([{ damage: 'truncated', chain, line: 3 }]);
  });
});

describe('what is kept apart', () => {
  it.each([
    ['removed', 'head_removed', () => rm(headOf(second))],
    ['damaged in one half', 'head_damaged', () => truncate(headOf(second), 300)],
    ['that of another chain', 'head_damaged', () => copyFile(headOf(first), headOf(second))],
  ])('a head %s', async (_what, damage, damageHead) => {
    await damageHead();
    expect(await verdict()).toEqual([{ damage, chain: 'second', line: null }]);
  });

  it('a key removed, and made again by the next server', async () => {
    await rm(join(home, 'ledger-heads', 'key'));
    expect(
      (await verdict()).filter((each) => 'damage' in each && each.damage === 'key_missing'),
    ).toHaveLength(2);
    const ledger = openLedger(home);
    await ledger.append(actOf('c3'));
    await ledger.close();
    const found = await verdict();
    expect(found).toHaveLength(2);
    expect(found).toContainEqual({ damage: 'key_missing', chain: 'second', line: null });
  });

  it('a key damaged: a server does not make another in its place', async () => {
    const path = join(home, 'ledger-heads', 'key');
    await writeFile(path, 'x');
    expect(await verdict()).toContainEqual({ damage: 'key_missing', chain: 'second', line: null });
    const ledger = openLedger(home);
    await expect(ledger.append(actOf('c3'))).rejects.toMatchObject({
      code: 'ledger_unavailable',
      message: expect.stringContaining(`${path} contains no key`),
    });
    await ledger.close();
  });
});

describe('what browsers remember', () => {
  // Chains by their place: those that are removed with their heads, their remembered ends, and those that are missed.
  it.each<[string, number[], number[][], number[]]>([
    ['is no longer than an untouched ledger', [], [[ACTS + 1], [ACTS]], []],
    ['is needed to miss the newest file', [1], [], []],
    ['shows that the newest file was removed', [1], [[ACTS + 1], [2, 1]], [1]],
    ['shows that everything was removed but the key', [0, 1], [[1], [1]], [0, 1]],
  ])('%s', async (_what, removed, ends, missing) => {
    const chainOf = (at: number): string => (at === 0 ? first : second);
    for (const chain of removed.map(chainOf)) await Promise.all([rm(fileOf(chain)), rm(headOf(chain))]);
    const remembered = ends.flatMap((seqs, at) => seqs.map((seq) => ({ chain: chainOf(at), seq })));
    const { problems } = await readLedger(home, undefined, remembered);
    const found = problems.map(({ damage, chain }) => ({ damage, chain }));
    const damage = 'shorter_than_remembered';
    expect(found).toEqual(missing.map((at) => ({ damage, chain: chainOf(at) })));
  });
});
