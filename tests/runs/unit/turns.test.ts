import { rounds } from '../../support/depth.ts';
import { expect, it } from 'vitest';
import { defer } from '../../../shared/base/async.ts';
import { Turns, unitsOf, VALUES_MAX } from '../../../server/core/calls/turns.ts';
import { KEPT_ROOM } from '../../../server/runs/records.ts';
import { inShort, parseStart } from '../../../shared/base/in-short.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import { codeThrown } from '../../support/code-of.ts';
import fc from '../../support/property.ts';
import { createSession } from '../../support/session.ts';

const AT_WORK = 32;
const callOf = (session = createSession('s'), more: { args?: unknown; signal?: AbortSignal } = {}) => ({
  ...{ callId: 'c', tool: 'test_tool', args: {}, session, signal: session.signal },
  ...more,
});
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Calls that work until they are let go. */
function rig() {
  const turns = new Turns();
  const begun: string[] = [];
  const ends = new Map<string, ReturnType<typeof defer<void>>>();
  const begin = (name: string, call = callOf()) =>
    turns.take(call, (aside) => {
      begun.push(name);
      const end = defer<void>();
      ends.set(name, end);
      return name.startsWith('aside') ? aside(() => end.promise) : end.promise;
    });
  return { turns, begun, begin, end: (name: string) => ends.get(name)?.resolve() };
}

it('lets a bounded number of calls of a session work, and the others in their order', async () => {
  const { begun, begin, end } = rig();
  const session = createSession('s');
  const all = Array.from({ length: AT_WORK + 3 }, (_, at) => begin(`${at}`, callOf(session)));
  await turn();
  expect(begun).toHaveLength(AT_WORK);
  for (let at = 0; at < all.length; at += 1) {
    end(`${at}`);
    await turn();
  }
  await Promise.all(all);
  expect(begun).toEqual(all.map((_, at) => `${at}`));
});

it('lets other sessions work meanwhile, and each in turn once the server is full', async () => {
  const { begun, begin, end } = rig();
  const [one, two, three] = ['1', '2', '3'].map((id) => createSession(id));
  for (let at = 0; at < AT_WORK + 2; at += 1) {
    void begin(`one ${at}`, callOf(one));
    void begin(`two ${at}`, callOf(two));
  }
  void begin('three', callOf(three));
  await turn();
  expect(begun).toHaveLength(2 * AT_WORK);
  for (const at of [0, 1, 2]) {
    end(`one ${at}`);
    await turn();
  }
  expect(begun.slice(2 * AT_WORK)).toContain('three');
});

it('gives up the turn of a call that waits, and that of one that is cancelled', async () => {
  const { begun, begin, end } = rig();
  const session = createSession('s');
  const waiting = Array.from({ length: AT_WORK }, (_, at) => begin(`aside ${at}`, callOf(session)));
  await turn();
  const working = Array.from({ length: AT_WORK }, (_, at) => begin(`work ${at}`, callOf(session)));
  const cancel = new AbortController();
  const cancelled = begin('never', callOf(session, { signal: cancel.signal }));
  await turn();
  expect(begun).toHaveLength(2 * AT_WORK);
  cancel.abort(new Error('gone'));
  await expect(cancelled).rejects.toThrow('gone');
  // Those that come back wait for their turn again.
  end('aside 0');
  await turn();
  end('work 0');
  await waiting[0];
  for (let at = 0; at < AT_WORK; at += 1) {
    end(`work ${at}`);
    end(`aside ${at}`);
  }
  await Promise.all([...waiting, ...working]);
  expect(begun).not.toContain('never');
});

it('counts a turn once, whether a call is abandoned while it waits or waits twice at once', async () => {
  const { turns, begun, begin } = rig();
  const session = createSession('s');
  const late = defer<void>();
  for (let at = 0; at < AT_WORK - 1; at += 1) void begin(`other ${at}`, callOf(session));
  for (let at = 0; at < 5; at += 1) {
    await turns.take(callOf(session), async (aside) => {
      void aside(() => late.promise);
      void aside(() => late.promise);
      await turn();
    });
  }
  late.resolve();
  await turn();
  await turns.take(callOf(session), (aside) => Promise.all([aside(turn), aside(turn)]));
  for (let at = 0; at < 5; at += 1) void begin(`${at}`, callOf(session));
  await turn();
  expect(begun).toHaveLength(AT_WORK);
});

it('refuses calls whose arguments hold too much together, and leaves room for small ones', () => {
  const turns = new Turns();
  const hold = (args: object) => turns.hold(callOf(undefined, { args }), unitsOf(args));
  const large = { text: 'x'.repeat(30 * 1024 * 1024) };
  const releases = [1, 2, 3].map(() => hold(large));
  expect(codeThrown(() => hold(large))).toBe('too_many_calls');
  for (const release of [...releases, hold({})]) release();
  expect(() => hold([large, large, large, large])).not.toThrow();
});

it.each<[name: string, args: unknown]>([
  ['numbers', { list: Array.from({ length: VALUES_MAX }, () => 0) }],
  ['empty lists', [Array.from({ length: VALUES_MAX }, () => [])]],
  ['names', Object.fromEntries(Array.from({ length: VALUES_MAX + 1 }, (_, at) => [`n${at}`, null]))],
])('refuses arguments with more values than a call may have: %s', (_name, args) => {
  expect(codeThrown(() => unitsOf(args))).toBe('invalid_argument');
});

it('takes as many values as a call may have, and texts of any size', () => {
  const list = Array.from({ length: VALUES_MAX - 3 }, () => 0);
  expect(() => unitsOf({ list, text: 'a,'.repeat(VALUES_MAX) })).not.toThrow();
});

const many = Array.from({ length: 500 }, (_, at) => `https://a.test/${at}`);
const texts = 'All of a sentence. '.repeat(900);
it.each<[string, JsonObject, JsonObject]>([
  ['a page', { url: 'u', text: texts, links: many, depth: 2, ok: true }, { url: 'u', depth: 2, ok: true }],
  [
    'two long texts',
    { a: texts, b: texts, c: null },
    { c: null, a: expect.stringMatching(/^All .{900,}…$/) },
  ],
  ['a long member first', { a: { deep: [texts, many] }, id: 7 }, { id: 7 }],
  [
    'a list',
    { list: many },
    { list: expect.arrayContaining([many[0], expect.stringMatching(/^… \d+ more$/)]) },
  ],
  [
    'many members',
    Object.fromEntries(many.map((one) => [one, one])),
    { '…': expect.stringMatching(/ more$/) },
  ],
  ['long names', { [texts]: 1, b: 2 }, { b: 2 }],
])('a value in short keeps its small members and says what it left out: %s', (_, value, expected) => {
  const short = inShort(value, { units: 4_096 });
  expect(short).toMatchObject(expected);
  expect(JSON.stringify(short).length).toBeLessThan(5_000);
});

it('keeps any value of a run in short', () => {
  const long = fc
    .string({ maxLength: 20 })
    .chain((text) => fc.integer({ min: 0, max: 5_000 }).map((times) => text.repeat(times)));
  const value = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      long,
      fc.integer(),
      fc.array(tie('json')),
      fc.dictionary(long, tie('json')),
    ),
  })).json;
  fc.assert(
    fc.property(fc.dictionary(long, value), fc.nat(20_000), (given, end) => {
      const text = JSON.stringify(given);
      const short = JSON.stringify(inShort(given as JsonObject, KEPT_ROOM));
      expect(short.length).toBeLessThan(6 * 20_000);
      if (text.length < 1_000) expect(short).toBe(text);
      expect(JSON.stringify(parseStart(text))).toBe(text);
      // What was cut off is missing; nothing else changes.
      const start = JSON.stringify(parseStart(text.slice(0, end)));
      if (start !== 'null') expect(text.startsWith(start.replace(/["\]}]+$/, ''))).toBe(true);
    }),
    { numRuns: rounds(200, 40) },
  );
});
