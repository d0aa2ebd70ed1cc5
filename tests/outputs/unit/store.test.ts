import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { expect, it } from 'vitest';
import { MIME } from '../../../shared/base/mime.ts';
import { itemsPayload, textPayload } from '../../support/payloads.ts';
import { HomeDatabase } from '../../../server/core/home/database.ts';
import { crc32 } from '../../../server/core/output/format.ts';
import { identityOf, ownProcess } from '../../../server/core/machine/process-identity.ts';
import { codeOf } from '../../support/code-of.ts';
import { stagedFileSystem } from './hooked-file-system.ts';
import { FakeClock, filesBelow, HOUR_MS, setUp } from './support.ts';

/** The files of an output: its payload, and its index if it has items. */
const filesOf = async (home: string, handle: string): Promise<string[]> =>
  (await filesBelow(home)).filter((path) => path.includes(handle)).map((path) => join(home, path));

/** Changes the record of an output as no server would. */
function damageRecord(home: string, change: string, handle: string): void {
  const database = new HomeDatabase(home);
  database.write(() => database.run(`UPDATE output SET ${change} WHERE handle = ?`, handle));
  database.close();
}

const text = (size: number, of = 'x') => textPayload(MIME.text, of.repeat(size));

it('expiry comes with the time to live, to the second, in fetch and sweep alike', async () => {
  const clock = new FakeClock();
  const { store, keep, fetch, home, journal } = await setUp({ clock, ttlHours: 1 });
  const output_handle = await keep(text(3));
  // The end is rounded down to the whole second that the descriptor names.
  clock.pass(HOUR_MS - 790);
  expect((await fetch({ output_handle })).content).toBe('xxx');
  expect((await store.sweep()).evicted).toBe(0);
  clock.pass(1);
  const message = `Output handle ${output_handle} has expired.`;
  await expect(fetch({ output_handle })).rejects.toMatchObject({ code: 'output_handle_not_found', message });
  expect((await store.usage()).handles).toBe(0);
  expect(await store.sweep()).toEqual({ evicted: 1, freedBytes: 3, leftoversRemoved: 0 });
  expect(await fs.readdir(join(home, 'output'))).toEqual([]);
  const evicted = { event: 'output_handle_evicted', handle: output_handle, reason: 'expired' };
  expect(journal.at(-1)).toEqual({ ...evicted, source_tool: 'read_page', size_bytes: 3 });
});

it('expiry neither deletes nor revives when the wall clock jumps', async () => {
  const jumps = fc.array(
    fc.record({
      jumpMs: fc.oneof(
        fc.constant(0),
        fc.integer({ min: -8 * 365 * 24, max: 20 * 365 * 24 }).map((hours) => hours * HOUR_MS),
      ),
      passMs: fc.integer({ min: 0, max: 20 }).map((minutes) => minutes * 60_000),
    }),
    { minLength: 1, maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(jumps, fc.boolean(), async (steps, isSweeping) => {
      const clock = new FakeClock();
      const { keep, fetch, store, home } = await setUp({ clock, ttlHours: 1 });
      const neighbour = await setUp({ clock, ttlHours: 1, home });
      const made: { handle: string; endsAt: number }[] = [];
      for (const { jumpMs, passMs } of steps) {
        const handle = await keep(text(1));
        made.push({ handle, endsAt: clock.mono + HOUR_MS - (clock.wall % 1000) });
        clock.jump(jumpMs);
        clock.pass(passMs);
        if (isSweeping) await neighbour.store.sweep();
        for (const { handle: output_handle, endsAt } of made) {
          const expected = clock.mono < endsAt ? 'no error' : 'output_handle_not_found';
          expect(await codeOf(fetch({ output_handle }))).toBe(expected);
          expect(await codeOf(neighbour.fetch({ output_handle }))).toBe(expected);
        }
      }
      clock.pass(2 * HOUR_MS);
      await store.sweep();
      expect(await filesBelow(home)).toEqual([]);
    }),
    { numRuns: rounds(25, 6) },
  );
});

it('expiry follows the wall clock across boots, but not its jumps', async () => {
  const clock = new FakeClock();
  const before = await setUp({ clock, ttlHours: 24, boot: 'earlier' });
  const output_handle = await before.keep(text(3));
  clock.mono = 1000;
  clock.jump(HOUR_MS);
  const { fetch, store } = await setUp({ clock, ttlHours: 24, home: before.home, boot: 'later' });
  expect((await fetch({ output_handle })).returned).toBe(3);
  clock.jump(3650 * 24 * HOUR_MS);
  expect((await store.sweep()).evicted).toBe(0);
  clock.pass(22 * HOUR_MS);
  expect((await fetch({ output_handle })).returned).toBe(3);
  clock.pass(HOUR_MS);
  expect(await codeOf(fetch({ output_handle }))).toBe('output_handle_not_found');
  clock.jump(-3660 * 24 * HOUR_MS);
  expect(await codeOf(fetch({ output_handle }))).toBe('output_handle_not_found');
  expect((await store.sweep()).evicted).toBe(1);
});

it('completes a pending page', async () => {
  const clock = new FakeClock();
  const { store, keep, fetch } = await setUp({ clock });
  const output_handle = await keep(itemsPayload(['one', 'two']));
  const output = await store.open(output_handle);
  clock.pass(25 * HOUR_MS);
  expect((await store.sweep()).evicted).toBe(1);
  expect((await output.read(0, output.meta.size_bytes)).toString()).toBe('[\n"one",\n"two"\n]');
  expect(await output.spans(1, 1)).toEqual([{ start: 9, end: 14 }]);
  await output.close();
  expect(await codeOf(fetch({ output_handle }))).toBe('output_handle_not_found');
});

it('the bound takes the oldest first, never the one being written, and says so', async () => {
  const clock = new FakeClock();
  const { store, keep, fetch, journal } = await setUp({ clock, maxBytes: 1000 });
  const ended: string[] = [];
  store.onEnd((handle) => ended.push(handle));
  const handles = [];
  for (let count = 0; count < 4; count += 1) {
    clock.pass(1000);
    handles.push(await keep(text(300)));
  }
  const codes = handles.map((output_handle) => codeOf(fetch({ output_handle })));
  expect(await Promise.all(codes)).toEqual(['output_handle_not_found', 'no error', 'no error', 'no error']);
  const evictions = journal.filter(({ event }) => event === 'output_handle_evicted');
  expect(evictions).toMatchObject([{ handle: handles[0], reason: 'size_bound' }]);
  expect(ended).toEqual([handles[0]]);
  const whole = await keep(text(1000));
  expect(await store.usage()).toMatchObject({ handles: 1, sizeBytes: 1000, maxBytes: 1000 });
  expect((await fetch({ output_handle: whole })).returned).toBe(1000);
});

it('the bound refuses an output that is larger than all of it, and removes none for it', async () => {
  const { keep, fetch, home } = await setUp({ maxBytes: 1000 });
  const output_handle = await keep(text(900));
  expect(await codeOf(keep(text(1001)))).toBe('store_full');
  expect((await fetch({ output_handle })).returned).toBe(900);
  expect(await filesBelow(home)).toHaveLength(1);
});

it('damage is never served, wherever a bit flips', async () => {
  const items = Array.from({ length: 60 }, (_, index) => ({ index, word: 'é'.repeat(index % 7) }));
  const { keep, fetch, home } = await setUp();
  const output_handle = await keep(itemsPayload(items));
  const good = await keep(text(5));
  const [payload = '', index = ''] = await filesOf(home, output_handle);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(payload, index),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      fc.integer({ min: 0, max: 7 }),
      async (path, where, bit) => {
        const original = await fs.readFile(path);
        const damaged = Buffer.from(original);
        const at = Math.floor(where * (original.length - 1));
        damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << bit), at);
        await fs.writeFile(path, damaged);
        expect(await codeOf(fetch({ output_handle }))).toBe('store_corrupt');
        expect((await fetch({ output_handle: good })).content).toBe('xxxxx');
        await fs.writeFile(path, original);
      },
    ),
    { numRuns: rounds(150, 40) },
  );
  expect((await fetch({ output_handle })).content).toEqual(items);
});

it('damage is found at every length', async () => {
  const { keep, fetch, home } = await setUp();
  const output_handle = await keep(text(40));
  const [path = ''] = await filesOf(home, output_handle);
  for (let size = 39; size >= 0; size -= 1) {
    await fs.truncate(path, size);
    expect(await codeOf(fetch({ output_handle, offset: size }))).toBe('store_corrupt');
  }
  await fs.writeFile(path, Buffer.alloc(1000, 0x20));
  expect(await codeOf(fetch({ output_handle }))).toBe('store_corrupt');
});

it.each([
  `meta = replace(meta, 'read_page', 'read_pagf')`,
  `meta = substr(meta, 1, 100)`,
  `meta = ''`,
  `meta = '{}', sum = 2745614147`,
  `sum = sum + 1`,
])('damage of a record costs that output alone: %s', async (change) => {
  const clock = new FakeClock();
  const { store, keep, fetch, home } = await setUp({ clock });
  const [damaged, whole] = [await keep(text(3)), await keep(text(4))];
  damageRecord(home, change, damaged);
  expect(await codeOf(fetch({ output_handle: damaged }))).toBe('store_corrupt');
  expect((await fetch({ output_handle: whole })).content).toBe('xxxx');
  expect((await store.list()).map(({ handle }) => handle)).toEqual([whole]);
  clock.pass(25 * HOUR_MS);
  expect((await store.sweep()).evicted).toBe(2);
  expect(await filesBelow(home)).toEqual([]);
});

it('damage is reported for a missing file, a link, or another handle’s', async () => {
  const { keep, fetch, home } = await setUp();
  const handles = [await keep(text(4, 'a')), await keep(text(4, 'b'))];
  const [one = '', two = ''] = handles;
  const [[first = ''], [second = '']] = [await filesOf(home, one), await filesOf(home, two)];
  await fs.rm(first);
  expect(await codeOf(fetch({ output_handle: one }))).toBe('store_corrupt');
  await fs.symlink(second, first);
  expect(await codeOf(fetch({ output_handle: one }))).toBe('store_corrupt');
  await fs.rename(first, second);
  expect(await codeOf(fetch({ output_handle: two }))).toBe('store_corrupt');
});

it('the sweep removes what the dead left, and nothing of the living or of others', async () => {
  const { store, home, keep } = await setUp();
  const handle = await keep(text(1));
  const folder = join(home, 'output');
  const [kept = ''] = await filesBelow(folder);
  expect(kept).toContain(handle);
  const day = dirname(kept);
  const { pid, startTime } = ownProcess();
  const living = `oh_DDDDDDDDDDDD.${process.ppid}-${identityOf(process.ppid)?.startTime ?? 0}`;
  const writer = await store.create({ tool: 't', mimeType: MIME.json, kind: 'items' });
  const written = (await filesBelow(folder)).filter((name) => name !== kept);
  expect(written).toHaveLength(3);
  const others = [
    ...[living, 'notes.txt', 'oh_lowercase.1-1', 'a folder/notes.txt'],
    ...[living, 'oh_DDDDDDDDDDDD.bin', 'notes.txt'].map((name) => `${day}/${name}`),
  ];
  const goes = [
    // As an earlier build named them.
    ...[
      'oh_AAAAAAAAAAAA.4000000-1',
      'oh_AAAAAAAAAAAA.4000000-1.index',
      `oh_EEEEEEEEEEEE.${pid}-${startTime}`,
    ],
    `${day}/oh_AAAAAAAAAAAA.4000000-1`,
    ...['json', 'json.index'].map((end) => `${day}/oh_AAAAAAAAAAAA.${end}`),
    `${day}/oh_BBBBBBBBBBBB.${pid}-${Number(startTime) + 1}`,
    `${day}/oh_BBBBBBBBBBBB.bin`,
    // Its marker was lost in a power cut.
    '2026-01-01/oh_CCCCCCCCCCCC.bin',
  ];
  for (const name of ['a folder', '2026-01-01']) await fs.mkdir(join(folder, name));
  for (const name of [...others, ...goes]) await (await fs.open(join(folder, name), 'wx')).close();
  const other = await setUp({ home });
  expect(await other.store.sweep()).toMatchObject({ evicted: 0, leftoversRemoved: goes.length });
  expect(await filesBelow(folder)).toEqual([...others, ...written, kept].toSorted());
  expect(await fs.readdir(folder)).not.toContain('2026-01-01');
  await writer.abort();
});

it('an output is the file that its handle and the day name, and one of an earlier build is still read', async () => {
  const clock = new FakeClock();
  const { store, keep, fetch, home } = await setUp({ clock });
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const [list, plain] = [await keep(itemsPayload([1, 2])), await keep(text(3))];
  const file = `output/${day}/${plain}.bin`;
  expect(await filesBelow(home)).toEqual(
    [`output/${day}/${list}.json`, `output/${day}/${list}.json.index`, file].toSorted(),
  );
  expect(JSON.parse(await fs.readFile(join(home, `output/${day}/${list}.json`), 'utf8'))).toEqual([1, 2]);
  const old = `${plain}.4000000-1`;
  await fs.rename(join(home, file), join(home, 'output', old));
  const database = new HomeDatabase(home);
  const [meta] = database.row('SELECT meta FROM output WHERE handle = ?', plain) ?? [];
  const moved = JSON.stringify({ ...(JSON.parse(String(meta)) as object), file: old });
  const change = 'UPDATE output SET file = ?, meta = ?, sum = ? WHERE handle = ?';
  database.write(() => database.run(change, old, moved, crc32(moved), plain));
  database.close();
  expect(await store.sweep()).toMatchObject({ leftoversRemoved: 0 });
  expect((await fetch({ output_handle: plain })).content).toBe('xxx');
  clock.pass(25 * HOUR_MS);
  await store.sweep();
  expect(await fs.readdir(join(home, 'output'))).toEqual([]);
});

it('the sweep leaves an output that is complete before it is over', async () => {
  const disk = stagedFileSystem(['unlink']);
  const { store, home } = await setUp({ fs: disk.fs });
  const writer = await store.create({ tool: 't', mimeType: MIME.text, kind: 'text' });
  const [, written] = await filesBelow(join(home, 'output'));
  for (const dead of 'ABCDEF') await fs.writeFile(join(home, `output/oh_${dead.repeat(12)}.4000000-1`), '');
  await disk.at(
    1,
    () => writer.commit(null),
    () => store.sweep(),
  );
  expect(await filesBelow(join(home, 'output'))).toEqual([written]);
});
