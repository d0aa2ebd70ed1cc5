import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { inFolder } from '../lib/runs.mjs';
import { formatNumber, timed } from '../lib/stats.mjs';
import { startServer } from './upstream.mjs';

const TIMEOUT_MS = 300_000;
const PING_EVERY_MS = 10;
/** The longest turn, in which the server reads nothing that others send, on a core. */
const MAX_MS = 250;
/** Of a value that missed it: the best round counts. */
const ROUNDS = 3;

const repeated = (text, units) =>
  `return ${JSON.stringify(text)}.repeat(${Math.ceil(units / text.length)}).slice(0, ${units})`;
const MEGABYTE = 1_000_000;
const PROSE = 'The quick brown fox jumps over the lazy dog, and then it sleeps at home. ';

/** Programs that return large values, by their names. */
const VALUES = {
  'plain text': repeated(PROSE, 10 * MEGABYTE),
  'lines of plain text': repeated(`${PROSE}\n`, 10 * MEGABYTE),
  'password= without an end': repeated('password=', 10 * MEGABYTE),
  'code= without an end': repeated('code=', 2 * MEGABYTE),
  'token is, again and again': repeated('token is ', 4 * MEGABYTE),
  'one letter': repeated('a', 30 * MEGABYTE),
  spaces: repeated(' ', 10 * MEGABYTE),
  quotes: repeated('"', 10 * MEGABYTE),
  backslashes: repeated('\\', 10 * MEGABYTE),
  'line breaks': repeated('\n', 10 * MEGABYTE),
  'marks that combine': repeated('e\u0301\u0301', 10 * MEGABYTE),
  emoji: repeated('\u{1F600}', 10 * MEGABYTE),
  'bidirectional marks': repeated('\u202e', 10 * MEGABYTE),
  'a list of 300,000 secrets':
    'return [Array.from({ length: 3e5 }, (_, at) => ({ password: `hunter${at}` }))]',
  'an object of 200,000 names':
    'return [Object.fromEntries(Array.from({ length: 2e5 }, (_, at) => [`n${at}`, at]))]',
  'names that are secrets':
    'return [Object.fromEntries(Array.from({ length: 3e4 }, (_, at) => [`ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1v${String(at).padStart(5, "0")}`, 1]))]',
  '300,000 rows in one item': 'return [Array.from({ length: 3e5 }, (_, at) => ({ a: at, b: "x" + at }))]',
  '100,000 rows': 'return Array.from({ length: 1e5 }, (_, at) => ({ a: at, b: "x" + at }))',
  'a list of 40,000 rows of ten':
    'return Array.from({ length: 4e4 }, (_, at) => Object.fromEntries(Array.from({ length: 10 }, (_, n) => ["c" + n, at + n])))',
  'a million empty lists': 'return { list: Array.from({ length: 9e5 }, () => []) }',
  'names, item by item':
    'for (let n = 0; n < 10; n += 1) emit(Object.fromEntries(Array.from({ length: 4e4 }, (_, at) => [`n${n}x${at}`, at])))',
  'many values that a name may belong to':
    'const value = Object.fromEntries(Array.from({ length: 1e5 }, (_, at) => [`n${at}`, "v" + at])); for (let at = 0; at < 4096; at += 1) value[[..."defaultvalue"].map((unit, place) => ((at >> place) & 1 ? unit.toUpperCase() : unit)).join("")] = "some words"; return [value]',
  'a list 900 deep':
    'let value = Array.from({ length: 1e5 }, () => []); for (let at = 0; at < 900; at += 1) value = [value]; return [value]',
};

const TEXT = `return [Array.from({ length: 60_000 }, (_, at) => 'a'.repeat(at % 50) + at).join('\\n')]`;
const OTHER = `return [Array.from({ length: 60_000 }, (_, at) => 'b'.repeat(at % 50) + at).join('\\n')]`;
/** Questions about two outputs of much text. */
const QUESTIONS = {
  'a regex that tries everything': { regex: '(?:(?:a?){50}){20}b!' },
  'a regex without a match': { regex: '(a+)+x' },
  'JMESPath over a whole output': { jmespath: "length(to_string(@[*].split('', @)))" },
  'diff of texts without a common line': { diff: true },
};

const list = (count, make) => Array.from({ length: count }, (_, at) => make(at));
/** Large arguments. */
const INPUTS = {
  'names of secrets, 9 MB': () => 'password='.repeat(MEGABYTE),
  'numbers, beyond the bound': () => list(1e6, (at) => at),
  'names, beyond the bound': () => Object.fromEntries(list(3e5, (at) => [`name${at}`, at])),
  'names, within the bound': () => Object.fromEntries(list(9e4, (at) => [`name${at}`, at])),
  'rows, within the bound': () => list(3e4, (at) => ({ name: `n${at}`, value: at })),
};

const ANSWERS = join(import.meta.dirname, '../loop/answers.mjs');
const ANSWERED = [
  'plain text',
  'names of secrets in two blocks',
  'rows as JSON text',
  'rows as an object',
  'names as an object',
  'more values than are read',
];
const CHECKED = ['a text for a pattern that tries everything', 'a list without duplicates'];

/** Gives work a client of a server, and ends it. */
const withAnswers = (work) =>
  inFolder(async (home) => {
    const upstreams = ['policy', 'passthrough'].map((output) => ({
      ...{ id: output, command: process.execPath, args: [ANSWERS], output },
    }));
    process.env.BENCH_STALLS = join(home, 'stalls');
    process.env.NODE_OPTIONS = `--import ${join(import.meta.dirname, '../loop/stalls.mjs')}`;
    const client = await startServer(home, upstreams, ['policy', 'passthrough']);
    delete process.env.NODE_OPTIONS;
    try {
      await client.initialize(TIMEOUT_MS);
      return await work(client);
    } finally {
      await client.close();
    }
  });

/** The longest turn of the server's event loop since the last call, in milliseconds on a core. */
async function longestStall({ pid }) {
  const path = process.env.BENCH_STALLS;
  rmSync(path, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (;;) {
    try {
      const text = readFileSync(path, 'utf8');
      if (text.endsWith('\n')) return Number(text);
    } catch {
      // The server is still busy.
    }
    await sleep(PING_EVERY_MS);
  }
}

/** The longest wait of a ping while something is done, and the longest turn of the server, in milliseconds. */
async function longestPing(client, work) {
  await longestStall(client);
  let longest = 0;
  let isOver = false;
  const pinging = (async () => {
    while (!isOver) {
      longest = Math.max(longest, await timed(() => client.request('ping', {}, TIMEOUT_MS)));
      await sleep(PING_EVERY_MS);
    }
  })();
  const tookMs = await timed(work);
  isOver = true;
  await pinging;
  return { longest, stall: await longestStall(client), tookMs };
}

async function keep(client, code) {
  const { content } = await client.call('script', { code, output_mode: 'handle' }, TIMEOUT_MS);
  return JSON.parse(content[0].text);
}

/**
 * How long pings wait while the server works on values that a caller sizes.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say }) {
  const results = [];
  await withAnswers(async (client) => {
    await keep(client, 'return 1');
    const add = async (name, work) => {
      say(name);
      // A value may be refused: what counts is that others are served meanwhile.
      let best = null;
      for (let round = 0; round < ROUNDS && (best === null || best.stall > MAX_MS); round += 1) {
        const result = await longestPing(client, () => work().catch(() => undefined));
        if (best === null || result.stall < best.stall) best = result;
      }
      results.push({ name, ...best });
    };
    for (const [name, code] of Object.entries(VALUES)) await add(name, () => keep(client, code));
    const [one, other] = [await keep(client, TEXT), await keep(client, OTHER)];
    for (const [name, question] of Object.entries(QUESTIONS)) {
      const asked = question.diff === true ? { diff: other.output_handle } : question;
      const args = { output_handle: one.output_handle, ...asked };
      await add(name, () => client.call('oc_output_query', args, TIMEOUT_MS));
    }
    for (const [name, input] of Object.entries(INPUTS)) {
      const args = { code: 'return 1', input: input() };
      await add(`arguments: ${name}`, () => client.call('script', args, TIMEOUT_MS));
    }
    for (const value of ANSWERED)
      for (const output of ['policy', 'passthrough'])
        await add(`answer of another server (${output}): ${value}`, () =>
          client.call(`${output}_get`, { value }, TIMEOUT_MS),
        );
    for (const value of CHECKED)
      await add(`checked answer of another server: ${value}`, () =>
        client.call('policy_checked', { value }, TIMEOUT_MS),
      );
  });
  const longest = Math.max(...results.map(({ stall }) => stall));
  const table = {
    title: 'Pings while the server works on a large value',
    head: ['value', 'work', 'longest wait of a ping', 'longest turn of the server'],
    rows: results.map(({ name, tookMs, longest: most, stall }) => [
      name,
      `${formatNumber(tookMs)} ms`,
      `${formatNumber(most)} ms`,
      `${formatNumber(stall)} ms`,
    ]),
  };
  const bounds = [{ name: 'longest turn of the server on a core', value: longest, most: MAX_MS, unit: 'ms' }];
  return { tables: [table], bounds, results };
}
