/**
 * A program's sandbox besides the language: JavaScript that runs there first. Anything that would make a
 * second execution differ from the first (the clock, randomness, garbage collection) is replaced or removed.
 */
export const PRELUDE = String.raw`
(() => {
  'use strict';
  const { call, emit, log, now, random, input } = host;
  delete globalThis.host;

  class ToolError extends Error {
    constructor({ message, code, hint, retryable, body }, stack, place) {
      super(message);
      Object.assign(this, { name: 'ToolError', code, hint, retryable, body });
      Object.defineProperty(this, 'place', { value: place });
      Object.defineProperty(this, 'stack', { value: stack, configurable: true });
    }
  }

  const { parse, stringify } = JSON;
  const given = (name, what, value) => {
    const text = stringify(value ?? {});
    if (text?.[0] !== '{') throw new TypeError(name + ' takes an object as ' + what);
    return text;
  };
  const ask = (kind, name, args, options) => {
    const { stack } = new Error();
    return call(kind, name, given(name, 'its argument', args), given(name, 'its second argument', options)).then(
      (text) => (text === undefined ? undefined : parse(text)),
      (text) => {
        const { error, place } = parse(text);
        throw new ToolError(error, stack, place);
      },
    );
  };

  const tools = new Proxy(Object.create(null), {
    get: (_, name) =>
      typeof name === 'string' && name !== 'then' ? (args, options) => ask('tool', name, args, options) : undefined,
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
  });

  const sleep = (time) => {
    const until = time instanceof Date ? time.getTime() : typeof time === 'string' ? Date.parse(time) : now() + time;
    if (Number.isNaN(new NativeDate(until).getTime())) throw new TypeError('sleep takes milliseconds or a date');
    return ask('sleep', 'sleep', { until });
  };

  async function* items(handle) {
    for (let offset = 0; offset !== null; ) {
      const page = await ask('items', String(handle), { offset });
      yield* page.content;
      offset = page.next_offset;
    }
  }

  const map = async (values, work, { limit = 8 } = {}) => {
    if (!Number.isInteger(limit) || limit < 1) throw new RangeError('map: limit takes a whole number from 1');
    const each = (values?.[Symbol.asyncIterator] ?? values?.[Symbol.iterator])?.call(values);
    if (each === undefined) throw new TypeError('map takes a list, or items(handle)');
    const results = [];
    const failures = [];
    let count = 0;
    let isOver = false;
    // QuickJS forgets a request that arrives while an async generator is busy with another.
    let turn = Promise.resolve();
    const next = () => (turn = turn.then(() => each.next()));
    const lane = async () => {
      while (!isOver) {
        const at = count;
        count += 1;
        try {
          const { done, value } = await next();
          if (done) isOver = true;
          else results[at] = await work(value, at);
        } catch (error) {
          isOver = true;
          failures.push({ at, error });
        }
      }
    };
    await Promise.all(Array.from({ length: limit }, lane));
    if (failures.length > 0) throw failures.sort((a, b) => a.at - b.at)[0].error;
    return results;
  };

  const text = (value) => (typeof value === 'string' ? value : (stringify(value) ?? String(value)));
  const say = (...values) => log(values.map(text).join(' '));

  const NativeDate = Date;
  const ProgramDate = function Date(...args) {
    if (new.target === undefined) return new NativeDate(now()).toString();
    return Reflect.construct(NativeDate, args.length === 0 ? [now()] : args, new.target);
  };
  Object.assign(ProgramDate, { now, parse: NativeDate.parse, UTC: NativeDate.UTC });
  ProgramDate.prototype = NativeDate.prototype;
  ProgramDate.prototype.constructor = ProgramDate;
  Math.random = random;
  for (const name of ['WeakRef', 'FinalizationRegistry', 'Atomics', 'SharedArrayBuffer', 'performance'])
    delete globalThis[name];

  const globals = {
    Date: ProgramDate,
    ToolError,
    tools,
    ask: (question) => ask('ask', 'ask', question),
    sleep,
    items,
    map,
    emit: (item) => emit(stringify(item ?? null) ?? 'null'),
    log: say,
    console: Object.freeze({ log: say, info: say, warn: say, error: say, debug: say }),
    input: parse(input),
    now,
    random,
  };
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, writable: false, configurable: false });
})();
`;

/** In front of the program, in its first line. */
export const BEFORE = '(async () => {"use strict";';
export const AFTER = '\n})()';
export const PROGRAM_FILE = 'program.ts';

/** Mulberry32: numbers from 0 to 1 that only the seed determines. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
