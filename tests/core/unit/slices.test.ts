import { once } from 'node:events';
import { stat } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import {
  atOnce,
  hasMoreValues,
  inSlices,
  pause,
  PIECE_UNITS,
  piecesOf,
  type Work,
} from '../../../server/core/slices.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import { each } from '../../../shared/base/queue.ts';
import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { cleanExchange } from '../../../server/libraries/redaction/exchange.ts';
import { cleanJson } from '../../../server/libraries/redaction/json-value.ts';
import { Tally } from '../../../server/libraries/redaction/tally.ts';
import type { JsonObject, JsonValue } from '../../../shared/base/json.ts';

const UNITS = rounds(64, 16) * PIECE_UNITS;
const long = (part: string): string => part.repeat(Math.ceil(UNITS / part.length)).slice(0, UNITS);
const list = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const nested = (value: JsonValue, levels: number): JsonValue =>
  levels === 0 ? value : nested([value], levels - 1);

function partsOf(work: Work<unknown>): number {
  let parts = 0;
  while (work.next().done !== true) parts += 1;
  return parts;
}

const body = (mimeType: string, text: string): JsonObject => ({ response: { content: { mimeType, text } } });

it.each<[name: string, value: JsonValue]>([
  ['a name of a secret', long('password=')],
  ['a letter', long('a')],
  ['line breaks', long('\n')],
  ['emoji', long('\u{1F600}')],
  ['marks that combine', long('e\u0301')],
  ['many short texts', list(UNITS / 64, () => 'a=b')],
  ['many numbers', list(UNITS / 64, (at) => at)],
  ['many names', Object.fromEntries(list(UNITS / 64, (at) => [`n${at}`, 1]))],
  ['many empty lists', list(UNITS / 64, () => [])],
  ['many empty objects', list(UNITS / 64, () => ({}))],
  ['a long name', { [long('name ')]: 1 }],
  [
    'many lists deep within others',
    nested(
      list(UNITS / 64, () => [1]),
      900,
    ),
  ],
])('redaction of a large value is done in parts: %s', (_name, value) => {
  expect(partsOf(cleanJson(value, new Tally()))).toBeGreaterThanOrEqual(UNITS / PIECE_UNITS - 1);
});

it.each<[name: string, entry: JsonObject]>([
  ['text', body('text/plain', long('password='))],
  ['JSON', body('application/json', JSON.stringify([long('a')]))],
  ['JSON that was cut', body('application/json', JSON.stringify([long('a')]).slice(0, -2))],
  ['XML', body('text/xml', long('<a>b</a>'))],
  ['a form', body('application/x-www-form-urlencoded', long('a=b&'))],
  ['a multipart form', body('multipart/mixed; boundary=a', `--a\r\n\r\n${long('b')}\r\n--a--`)],
  ['a form of many parts', body('multipart/mixed; boundary=a', long('--a\r\n\r\nb\r\n'))],
  ['a message', { _webSocketMessages: [{ opcode: 2, data: Buffer.from(long('a')).toString('base64') }] }],
  ['many headers', { request: { headers: list(UNITS / 64, () => ({ name: 'a', value: 'b' })) } }],
])('redaction of a large body is done in parts: %s', (_name, entry) => {
  expect(partsOf(cleanExchange(entry, new Tally()))).toBeGreaterThanOrEqual(UNITS / PIECE_UNITS - 1);
});

it('names that become equal stay apart, in a time that grows with their number alone', () => {
  const names = list(20_000, (at) => `ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1v${String(at).padStart(5, '0')}`);
  const cleaned = atOnce(cleanJson(Object.fromEntries(names.map((name) => [name, 1])), new Tally()));
  expect(Object.keys(cleaned as JsonObject)).toEqual(
    names.map((_, at) => `«redacted:github-token»${at === 0 ? '' : `#${at + 1}`}`),
  );
});

it('a text is the same in pieces, none of which ends within a code point', () => {
  const text = `a${'\u{1F600}'.repeat(PIECE_UNITS)}`;
  const pieces = [...piecesOf(text)];
  expect(pieces.join('')).toBe(text);
  expect(pieces.every((piece) => piece.isWellFormed() && piece.length <= PIECE_UNITS + 1)).toBe(true);
});

it('each who waits for a turn gets one of its own, in order', async () => {
  const events: string[] = [];
  const others = (async () => {
    for (let turn = 0; turn < 3; turn += 1)
      await new Promise<void>((resolve) => setImmediate(() => (events.push('other'), resolve())));
  })();
  // The first may still have time in this turn.
  while (pause() === undefined);
  await Promise.all([...list(3, async (at) => (await waited(), events.push(`work ${at}`))), others]);
  const work = events.filter((event) => event !== 'other');
  expect(work).toEqual(['work 0', 'work 1', 'work 2']);
  expect(events.indexOf('other')).toBeLessThan(events.indexOf('work 2'));
});

/** As a caller whose slice is over. */
async function waited(): Promise<void> {
  let turn = pause();
  while (turn === undefined) turn = pause();
  await turn;
}

it('work that throws rejects', async () => {
  function* failing(): Work<never> {
    yield;
    throw new Error('no');
  }
  await expect(inSlices(failing())).rejects.toThrow('no');
});

it('names next to values are read once, however many values an object has', () => {
  let reads = 0;
  const value = Object.defineProperty({}, 'label', {
    enumerable: true,
    get: () => ((reads += 1), 'a label'),
  });
  const cased = (at: number): string =>
    [...'defaultvalue'].map((unit, place) => ((at >> place) & 1 ? unit.toUpperCase() : unit)).join('');
  const values = Object.fromEntries(list(4_000, (at) => [cased(at), 'words']));
  atOnce(cleanJson(Object.assign(value, values), new Tally()));
  expect(reads).toBeLessThan(20);
});

it('small items leave room for others between them', async () => {
  const items = each(list(rounds(200_000, 20_000), (at): JsonValue => ({ at })));
  const { payload } = await createRedactor({ enabled: true }).payload({
    ...{ kind: 'items', mimeType: 'application/json', items },
  });
  let [turns, isOver] = [0, false];
  const others = (async () => {
    for (; !isOver; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  })();
  if (payload.kind === 'items') for await (const item of payload.items) expect(item).toBeDefined();
  isOver = true;
  await others;
  expect(turns).toBeGreaterThan(1);
});

const valuesOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, member) => sum + valuesOf(member), 1)
    : 1;

it('the values of a JSON text are counted without those that its strings seem to have', () => {
  const string = fc.string({ unit: fc.constantFrom('"', '\\', ',', '[', '{', 'a', '\u2028'), maxLength: 8 });
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 3 },
      ...[string, fc.integer(), fc.array(tie('json')), fc.dictionary(string, tie('json'))],
    ),
  }));
  fc.assert(
    fc.property(json, (value) => {
      const [text, values] = [JSON.stringify([[value], 1]), valuesOf([[value], 1])];
      expect(hasMoreValues(text, values)).toBe(false);
      expect(hasMoreValues(`${text}${' '.repeat(2 * values)}`, values - 1)).toBe(true);
    }),
  );
});

it('what arrived while a part was done is read before the next', async () => {
  const server = createServer((socket) => socket.once('data', () => server.emit('read'))).listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1');
  await Promise.all([once(server, 'connection'), once(client, 'connect')]);
  let isRead = false;
  server.once('read', () => (isRead = true));
  // As when a message has just arrived.
  await new Promise<void>((resolve) => stat('.', () => resolve()));
  client.write('a');
  let turn: Promise<void> | undefined;
  while (turn === undefined) turn = pause();
  await turn;
  expect(isRead).toBe(true);
  client.destroy();
  server.close();
});
