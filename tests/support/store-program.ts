import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, unlinkSync, writeFileSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonValue } from '../../shared/base/json.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import { MIME } from '../../shared/base/mime.ts';
import type { CleanPayload } from '../../server/core/result.ts';
import { systemClock, type Clock } from '../../server/core/services.ts';
import { createOutputPolicy } from '../../server/core/output/policy.ts';
import { createOutputStore } from '../../server/core/output/store.ts';
import { itemsPayload, produce, textPayload } from './payloads.ts';
import { codeIn } from './code-of.ts';

/*
 * A process that uses the output store, to be killed, starved and raced by the fault tests:
 *
 *     write HOME OPENS  stores three outputs, then sweeps; a line per output that was answered
 *     endless HOME      stores outputs until it is killed
 *     faulty HOME       stores outputs and reports which were refused, and what is left
 *     full HOME         fills a small disk, frees it, and continues
 *     race HOME ID N    stores, reads and sweeps N times, concurrently with others
 *     large HOME MIB    writes one large output and says how much memory that took
 *     verify            checks the promises of stores against the answers on stdin
 *     verify-empty HOME checks that everything is removed when everything has expired
 */

/** An output that was answered, and what its bytes must be. */
type Answered = { readonly handle: string; readonly sha256: string };

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const say = (value: object): void => void writeSync(1, `${JSON.stringify(value)}\n`);

function openStore(home: string, options: { ttlHours?: number; maxBytes?: number; clock?: Clock } = {}) {
  return createOutputStore({
    home,
    clock: systemClock,
    logger: quiet,
    journal: { record() {} },
    ttlHours: 24,
    maxBytes: LIMITS.outputMaxBytes,
    ...options,
  });
}

type Store = ReturnType<typeof openStore>;

async function keep(store: Store, payload: CleanPayload): Promise<string> {
  const { descriptor } = await createOutputPolicy(store).deliver(produce(payload), {
    tool: 'test',
    mode: 'handle',
    structured: false,
    inlineLimitBytes: 1,
    envelopeBytes: 120,
    signal: new AbortController().signal,
    notes: () => [],
  });
  if (descriptor === undefined) throw new Error('no descriptor');
  return descriptor.output_handle;
}

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');
const textOf = (seed: string, size: number): string => `${seed} `.repeat(Math.ceil(size / (seed.length + 1)));
const listOf = (seed: string, count: number): JsonValue[] =>
  Array.from({ length: count }, (_, index) => `${seed} ${index}`);

/** Payloads of several blocks and of one, each with the hash of what it must become. The first has all kinds of files. */
const OUTPUTS: readonly { readonly make: () => CleanPayload; readonly sha256: string }[] = [
  {
    make: () => itemsPayload(listOf('item', 12_000)),
    sha256: sha256(
      `[\n${listOf('item', 12_000)
        .map((item) => JSON.stringify(item))
        .join(',\n')}\n]`,
    ),
  },
  { make: () => textPayload(MIME.markdown, textOf('short', 100)), sha256: sha256(textOf('short', 100)) },
  { make: () => textPayload(MIME.text, textOf('long', 200_000)), sha256: sha256(textOf('long', 200_000)) },
];

/** `opens` files are opened before, so that a count of opened files can begin beyond those of the start. */
async function writeOutputs(home: string, opens: number): Promise<void> {
  for (let count = 0; count < opens; count += 1) await (await open(process.execPath)).close();
  const store = openStore(home);
  for (const output of OUTPUTS) say({ handle: await keep(store, output.make()), sha256: output.sha256 });
  await store.sweep();
}

async function writeEndlessly(home: string): Promise<void> {
  const store = openStore(home);
  for (let round = 0; ; round += 1) {
    const output = OUTPUTS[round % OUTPUTS.length];
    if (output) say({ handle: await keep(store, output.make()), sha256: output.sha256 });
  }
}

async function readWhole(store: Store, handle: string): Promise<Buffer> {
  const output = await store.open(handle);
  try {
    return Buffer.from(await output.read(0, output.meta.size_bytes));
  } finally {
    await output.close();
  }
}

const storeFiles = (home: string): string[] =>
  existsSync(join(home, 'output'))
    ? readdirSync(join(home, 'output'), { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => entry.name)
    : [];

async function findProblems(home: string, answered: readonly Answered[], store: Store): Promise<string[]> {
  const problems: string[] = [];
  for (const { handle, sha256: expected } of answered) {
    try {
      if (sha256(await readWhole(store, handle)) !== expected) problems.push(`${handle} has other bytes`);
    } catch (thrown) {
      problems.push(`${handle} was answered, and now: ${codeIn(thrown)}`);
    }
  }
  const files = storeFiles(home);
  const handles = new Set((await store.list()).map(({ handle }) => handle));
  for (const handle of handles)
    await readWhole(store, handle).catch((thrown: unknown) =>
      problems.push(`${handle} shows: ${codeIn(thrown)}`),
    );
  for (const name of files) if (!handles.has(name.slice(0, 15))) problems.push(`${name} was left behind`);
  return problems;
}

async function verify(home: string, answered: readonly Answered[]): Promise<string[]> {
  const store = openStore(home);
  const visible = (await store.list()).length;
  await store.sweep();
  const problems = await findProblems(home, answered, store);
  // At most the one output that was complete but not yet answered when the process died.
  const isExpected = visible <= answered.length + 1;
  if (!isExpected) problems.push(`${visible} visible, ${answered.length} answered`);
  const next = await keep(store, itemsPayload([1, 2, 3]));
  if ((await readWhole(store, next)).toString() !== '[\n1,\n2,\n3\n]')
    problems.push('the next output is damaged');
  return problems;
}

/** Stdin: a line per home, `{ home, lines }`. */
async function verifyAll(): Promise<void> {
  const problems: Record<string, string[]> = {};
  let homes = 0;
  for (const line of readFileSync(0, 'utf8').trim().split('\n')) {
    const { home, lines }: { home: string; lines: Answered[] } = JSON.parse(line);
    homes += 1;
    const found = await verify(home, lines);
    if (found.length > 0) problems[home] = found;
  }
  say({ homes, problems });
}

/** Every output is tried, also after one that failed. */
async function writeOnFaultyDisk(home: string): Promise<void> {
  const store = openStore(home);
  const answered: Answered[] = [];
  const refused: string[] = [];
  for (const output of [...OUTPUTS, ...OUTPUTS.slice(0, 1)]) {
    try {
      answered.push({ handle: await keep(store, output.make()), sha256: output.sha256 });
    } catch (thrown) {
      refused.push(codeIn(thrown));
    }
  }
  say({ refused, answered: answered.length, problems: await findProblems(home, answered, store) });
}

async function fillDisk(home: string): Promise<void> {
  const store = openStore(home);
  const small = textOf('small', 1000);
  const large = textOf('large', 700_000);
  const answered: Answered[] = [
    { handle: await keep(store, textPayload(MIME.text, small)), sha256: sha256(small) },
  ];
  const ballast = join(home, 'ballast');
  writeFileSync(ballast, Buffer.alloc(600_000, 1));
  const refused: string[] = [];
  for (const payload of [textPayload(MIME.text, large), itemsPayload(listOf(textOf('item', 900), 1000))])
    await keep(store, payload).catch((thrown: unknown) => refused.push(codeIn(thrown)));
  const whileFull = await findProblems(home, answered, store);
  unlinkSync(ballast);
  answered.push({ handle: await keep(store, textPayload(MIME.text, large)), sha256: sha256(large) });
  say({ refused, problems: [...whileFull, ...(await findProblems(home, answered, store))] });
}

/** A reader may see the beginning of a line that another process is just writing: whole lines count. */
function answeredOn(board: string): Answered[] {
  const lines = readFileSync(board, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

/** Outputs live less than a second, and only a few fit: sweeps and reads meet all the time. */
async function race(home: string, id: string, rounds: number): Promise<void> {
  const store = openStore(home, { ttlHours: 1 / 3600, maxBytes: 400_000 });
  const board = join(home, 'answered');
  const seen = { whole: 0, gone: 0, problems: new Array<string>() };
  const check = async ({ handle, sha256: expected }: Answered): Promise<void> => {
    try {
      const isSame = sha256(await readWhole(store, handle)) === expected;
      if (isSame) seen.whole += 1;
      else seen.problems.push(`${handle} has other bytes`);
    } catch (thrown) {
      if (codeIn(thrown) === 'output_handle_not_found') seen.gone += 1;
      else seen.problems.push(`${handle}: ${codeIn(thrown)}`);
    }
  };
  for (let round = 0; round < rounds; round += 1) {
    const text = textOf(`${id}-${round}`, 1000 + ((round * 7919) % 40_000));
    const [handle] = await Promise.all([keep(store, textPayload(MIME.text, text)), store.sweep()]);
    writeFileSync(board, `${JSON.stringify({ handle, sha256: sha256(text) })}\n`, { flag: 'a' });
    await Promise.all([...answeredOn(board).slice(-12).map(check), store.sweep()]);
  }
  say({ ...seen });
}

/** After all have ended and all has expired, nothing is left. */
async function verifyEmpty(home: string): Promise<void> {
  await openStore(home, { clock: LATER }).sweep();
  say({ problems: readdirSync(join(home, 'output'), { recursive: true }) });
}

const LATER: Clock = {
  now: () => Date.now() + 90_000_000,
  monotonic: () => systemClock.monotonic() + 90_000_000,
};

const peakBytes = (): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]) * 1024;

async function* repeat(chunk: string, times: number): AsyncGenerator<string> {
  for (let count = 0; count < times; count += 1) yield chunk;
}

/** A payload much larger than the memory that it may take, written and then read here and there. */
async function writeLarge(home: string, mebibytes: number): Promise<void> {
  const store = openStore(home);
  const chunk = textOf('a line of text', 65_536).slice(0, 65_536);
  await keep(store, textPayload(MIME.text, repeat(chunk, 16)));
  const before = process.memoryUsage.rss();
  const handle = await keep(store, textPayload(MIME.text, repeat(chunk, mebibytes * 16)));
  const growthBytes = peakBytes() - before;
  const output = await store.open(handle);
  const middle = Math.floor(output.meta.size_bytes / 2);
  const part = (await output.read(middle, middle + 32_768)).toString();
  say({ sizeBytes: output.meta.size_bytes, growthBytes, isRight: part === chunk.slice(0, 32_768) });
  await output.close();
}

const [task, home = '', id = '', rounds = '0'] = process.argv.slice(2);
const tasks: Record<string, () => Promise<void>> = {
  write: () => writeOutputs(home, Number(id)),
  endless: () => writeEndlessly(home),
  faulty: () => writeOnFaultyDisk(home),
  full: () => fillDisk(home),
  race: () => race(home, id, Number(rounds)),
  verify: verifyAll,
  'verify-empty': () => verifyEmpty(home),
  large: () => writeLarge(home, Number(id)),
  /** Leaves an output that has expired, for a sweep to remove. */
  expired: async () => void (await keep(openStore(home, { ttlHours: 0 }), itemsPayload(['old']))),
};
await tasks[task ?? '']?.();
