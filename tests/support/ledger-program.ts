import { writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { systemClock } from '../../server/core/services.ts';
import type { LedgerReceipt } from '../../server/ledger/face.ts';
import { readLedger } from '../../server/ledger/verify.ts';
import { codeIn } from './code-of.ts';
import { actOf, openLedger } from './ledger.ts';

/*
 * A process that writes a ledger, to be killed, starved and raced by the fault tests:
 *
 *     write HOME OPENS    three acts with their outcomes; a line for each that was acknowledged
 *     endless HOME        groups of acts until it is killed; a line for each that was acknowledged
 *     faulty HOME         acts until one is refused, then one more; what was refused, and what is left
 *     full HOME           fills a small disk, frees it, and continues
 *     slow HOME           one act whose sync takes longer than anyone waits
 *     race HOME ID COUNT  COUNT acts, ten at a time
 *     torn HOME           how many chains end in a part of a line
 *     look HOME           what is wrong with it, read ten times
 *     verify              checks the ledgers of stdin against what was acknowledged, and continues each
 */

const say = (value: object): void => void writeSync(1, `${JSON.stringify(value)}\n`);
const openOwn = (home: string, waitMs?: number) =>
  openLedger(home, { clock: systemClock, ...(waitMs === undefined ? {} : { waitMs }) });
const acknowledge = ({ chain, seq, hash }: LedgerReceipt): void => say({ chain, seq, hash });

async function writeActs(home: string, opens: number): Promise<void> {
  for (let count = 0; count < opens; count += 1) await (await open(process.execPath)).close();
  const ledger = openOwn(home);
  for (const call of ['c1', 'c2', 'c3']) {
    const receipt = await ledger.append(actOf(call));
    acknowledge(receipt);
    await ledger.finish(receipt, { outcome: 'done' });
    say({ outcome: call });
  }
  await ledger.close();
}

async function writeEndlessly(home: string): Promise<void> {
  const ledger = openOwn(home);
  for (let round = 0; ; round += 1)
    await Promise.all(
      Array.from({ length: 1 + (round % 5) }, async (_, at) =>
        acknowledge(await ledger.append(actOf(`c${round}.${at}`))),
      ),
    );
}

type Checked = { readonly ok: boolean; readonly problems: readonly string[] };

async function check(home: string, acknowledged: readonly Partial<LedgerReceipt>[]): Promise<Checked> {
  const hashes = new Map<string, string>();
  const report = await readLedger(home, (line, _text, chain) => {
    hashes.set(`${chain}:${line.seq}`, line.hash);
  });
  const lost = acknowledged
    .filter(({ chain, seq, hash }) => hash !== undefined && hashes.get(`${chain}:${seq}`) !== hash)
    .map(({ seq }) => `line ${seq} was acknowledged and is lost`);
  const found = report.problems.map(({ damage, line, message }) => `${damage} ${line}: ${message}`);
  return { ok: report.ok && lost.length === 0, problems: [...found, ...lost] };
}

async function appendUntilRefused(home: string): Promise<void> {
  const ledger = openOwn(home);
  const acknowledged: LedgerReceipt[] = [];
  const refused: string[] = [];
  for (let act = 1; act <= 8; act += 1)
    await ledger.append(actOf(`c${act}`)).then(
      (receipt) => acknowledged.push(receipt),
      (thrown: unknown) => refused.push(codeIn(thrown)),
    );
  await ledger.close();
  const { problems } = await check(home, acknowledged);
  say({ refused, acknowledged: acknowledged.length, problems });
}

async function fill(home: string): Promise<void> {
  const filler = await open(`${home}/filler`, 'w');
  const ledger = openOwn(home);
  const acknowledged = [await ledger.append(actOf('c0'))];
  const block = Buffer.alloc(4_096, 1);
  for (let isFull = false; !isFull;)
    await filler.write(block).then(
      ({ bytesWritten }) => (isFull = bytesWritten < block.length),
      () => (isFull = true),
    );
  const refused: string[] = [];
  // The last block of the ledger's file may have room for some.
  for (let act = 1; act <= 60 && refused.length < 3; act += 1)
    await ledger.append(actOf(`c${act}`)).then(
      (receipt) => acknowledged.push(receipt),
      (thrown: unknown) => refused.push(codeIn(thrown)),
    );
  await filler.truncate(0);
  acknowledged.push(await ledger.append(actOf('again')));
  await ledger.close();
  const { problems } = await check(home, acknowledged);
  say({ refused, problems });
}

async function appendSlowly(home: string): Promise<void> {
  const ledger = openOwn(home, 200);
  const refused = await ledger.append(actOf('c1')).then(() => 'no error', codeIn);
  say({ refused });
  await ledger.close();
  process.exit(0);
}

async function race(home: string, id: string, count: number): Promise<void> {
  const ledger = openOwn(home);
  for (let done = 0; done < count; done += 10)
    await Promise.all(
      Array.from({ length: 10 }, async (_, at) =>
        acknowledge(await ledger.append(actOf(`${id}.${done + at}`))),
      ),
    );
  await ledger.close();
}

async function countTorn(home: string): Promise<void> {
  const { chains } = await readLedger(home);
  say({ torn: chains.filter(({ torn_bytes: bytes }) => bytes > 0).length });
}

async function look(home: string): Promise<void> {
  const found: string[] = [];
  for (let time = 0; time < 10; time += 1) found.push(...(await check(home, [])).problems);
  say({ problems: found });
}

async function verifyAll(): Promise<void> {
  let text = '';
  for await (const chunk of process.stdin) text += String(chunk);
  const problems: Record<string, readonly string[]> = {};
  const wrecks = text.split('\n').filter((line) => line !== '');
  for (const [at, line] of wrecks.entries()) {
    const { home, lines }: { home: string; lines: Partial<LedgerReceipt>[] } = JSON.parse(line);
    const ledger = openOwn(home);
    const next = await ledger.append(actOf('next'));
    await ledger.close();
    const checked = await check(home, [...lines, next]);
    if (!checked.ok) problems[at] = checked.problems;
  }
  say({ homes: wrecks.length, problems });
}

const [task, home = '', ...rest] = process.argv.slice(2);
const TASKS: Readonly<Record<string, () => Promise<void>>> = {
  write: () => writeActs(home, Number(rest[0])),
  endless: () => writeEndlessly(home),
  faulty: () => appendUntilRefused(home),
  full: () => fill(home),
  slow: () => appendSlowly(home),
  race: () => race(home, rest[0] ?? '', Number(rest[1])),
  torn: () => countTorn(home),
  look: () => look(home),
  verify: verifyAll,
};
await TASKS[task ?? '']?.();
