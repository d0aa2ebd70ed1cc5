import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { inFolder } from '../lib/runs.mjs';
import { formatNumber, timed } from '../lib/stats.mjs';
import { startServer } from './upstream.mjs';

const TIMEOUT_MS = 300_000;
const PING_EVERY_MS = 10;
/** The longest wait that is allowed: of this machine's own, nothing else should run. */
const MAX_MS = 250;

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

/** Gives work a client of a server, and ends it. */
const withAnswers = (work) =>
  inFolder(async (home) => {
    const upstreams = ['policy', 'passthrough'].map((output) => ({
      ...{ id: output, command: process.execPath, args: [ANSWERS], output },
    }));
    const client = await startServer(home, upstreams, ['policy', 'passthrough']);
    try {
      await client.initialize(TIMEOUT_MS);
      return await work(client);
    } finally {
      await client.close();
    }
  });

/** The longest wait of a ping while something is done, in milliseconds. */
async function longestPing(client, work) {
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
  return { longest, tookMs };
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
      results.push({ name, ...(await longestPing(client, () => work().catch(() => undefined))) });
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
  });
  const longest = Math.max(...results.map((result) => result.longest));
  const table = {
    title: 'Pings while the server works on a large value',
    head: ['value', 'work', 'longest wait of a ping'],
    rows: results.map(({ name, tookMs, longest: most }) => [
      name,
      `${formatNumber(tookMs)} ms`,
      `${formatNumber(most)} ms`,
    ]),
  };
  const bounds = [{ name: 'longest wait of a ping', value: longest, most: MAX_MS, unit: 'ms' }];
  return { tables: [table], bounds, results };
}
