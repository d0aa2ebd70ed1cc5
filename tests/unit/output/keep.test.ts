import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MIME } from '../../../shared/mime.ts';
import { nodeFileSystem } from '../../../server/output/file-system.ts';
import { vouch } from '../../../server/redact/mark.ts';
import { codeOf } from '../../support/code-of.ts';
import { itemsPayload, textPayload } from '../../support/payloads.ts';
import { hookedFileSystem, type Operation } from './hooked-file-system.ts';
import { allItems, FakeClock, filesBelow, HOUR_MS, setUp } from './support.ts';

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (thrown: Error) => thrown.message,
  );
const text = (size: number) => textPayload(MIME.text, 'x'.repeat(size));
const note = (value: string) => vouch(value);

describe('an output that is kept', () => {
  it('outlives its time and every sweep, and says why', async () => {
    const clock = new FakeClock();
    const { store, keep, fetch, home, journal } = await setUp({ clock });
    const handle = await keep(itemsPayload([1, 2, 3]));
    const other = await keep(itemsPayload([4]));
    expect(await store.keep(handle, note('prices of May'))).toMatchObject({
      kept: { note: 'prices of May', since_ms: clock.wall },
      keptMaxBytes: expect.any(Number),
    });
    clock.pass(1_000 * HOUR_MS);
    expect((await store.sweep()).evicted).toBe(1);
    expect(await allItems(fetch, handle)).toEqual([1, 2, 3]);
    expect(await codeOf(fetch({ output_handle: other }))).toBe('output_handle_not_found');
    expect(await store.list()).toMatchObject([{ handle, kept: { note: 'prices of May' } }]);
    expect((await store.usage()).handles).toBe(1);
    // What is left is its other names alone.
    expect(await filesBelow(join(home, 'output'))).toEqual(
      ['index', 'json', 'meta.json', 'note'].map((extension) => `kept/${handle}/${handle}.${extension}`),
    );
    expect((await stat(join(home, 'output', 'kept', handle, `${handle}.note`))).mode & 0o777).toBe(0o600);
    expect(journal.map(({ event }) => event)).toEqual([
      'output_handle_created',
      'output_handle_created',
      'output_handle_kept',
      'output_handle_evicted',
    ]);
  });

  it('ends when it would have, once it is released', async () => {
    const clock = new FakeClock();
    const { store, keep, fetch, home } = await setUp({ clock });
    const handle = await keep(itemsPayload([1]));
    const ended: string[] = [];
    store.onEnd((gone) => ended.push(gone));
    await store.keep(handle, undefined);
    expect(await store.release(handle)).toMatchObject({ kept: null, keptBytes: 0 });
    expect((await fetch({ output_handle: handle })).total).toBe(1);
    expect(await store.release(handle)).toMatchObject({ kept: null });
    await store.keep(handle, undefined);
    clock.pass(25 * HOUR_MS);
    await store.sweep();
    expect(ended).toEqual([]);
    await store.release(handle);
    expect(ended).toEqual([handle]);
    expect(await codeOf(fetch({ output_handle: handle }))).toBe('output_handle_not_found');
    // It is not revived.
    expect(await codeOf(store.keep(handle, undefined))).toBe('output_handle_not_found');
    expect(await filesBelow(join(home, 'output'))).toEqual([]);
  });

  it('is gone once a person has deleted it, with all of its names', async () => {
    const clock = new FakeClock();
    clock.wall = Date.now();
    const { store, keep, fetch, home, journal } = await setUp({ clock });
    for (const passed of [0, 25 * HOUR_MS]) {
      const handle = await keep(itemsPayload([1]));
      await store.keep(handle, undefined);
      clock.pass(passed);
      await store.sweep();
      await store.delete(handle);
      expect(await messageOf(fetch({ output_handle: handle }))).toContain('A person has deleted');
      expect(await messageOf(store.keep(handle, undefined))).toContain('A person has deleted');
      expect((await filesBelow(join(home, 'output'))).filter((path) => !path.endsWith('.deleted'))).toEqual(
        [],
      );
      expect(journal.at(-1)).toMatchObject({ event: 'output_handle_deleted', handle });
      expect(await store.list()).toEqual([]);
    }
  });

  it('makes no room for others, and takes half of the bound at most', async () => {
    const { store, keep, fetch } = await setUp({ maxBytes: 10_000 });
    const [first, second, third] = [
      await keep(text(2_000)),
      await keep(text(3_001)),
      await keep(text(2_000)),
    ];
    await store.keep(first, undefined);
    expect(await codeOf(store.keep(second, undefined))).toBe('kept_full');
    expect(await messageOf(store.keep(second, undefined))).toBe(
      `${second} (3001 bytes) cannot be kept: kept outputs may take 5000 bytes, half of --output-max-bytes 10000, and 2000 bytes are kept (${first} 2000).`,
    );
    expect(await store.keep(third, undefined)).toMatchObject({ keptBytes: 4_000, keptMaxBytes: 5_000 });
    const fourth = await keep(text(6_000));
    expect((await store.list()).map(({ handle }) => handle).toSorted()).toEqual(
      [first, third, fourth].toSorted(),
    );
    expect(await messageOf(keep(text(6_001)))).toContain('4000 bytes are kept');
    expect(await codeOf(keep(text(6_001)))).toBe('store_full');
    // What does not fit takes nothing away.
    expect((await fetch({ output_handle: fourth })).total).toBe(6_000);
  });
});

describe('what is not an output that could be kept', () => {
  it('leaves nothing behind', async () => {
    const clock = new FakeClock();
    const { store, keep, home } = await setUp({ clock });
    const expired = await keep(itemsPayload([1]));
    clock.pass(25 * HOUR_MS);
    // One that is being written has no name yet.
    const writer = await store.create({ tool: 't', mimeType: MIME.json, kind: 'items' });
    const [written = ''] = (await filesBelow(join(home, 'output'))).filter((path) => path.endsWith('.tmp'));
    const handle = written.split('/')[1]?.slice(0, 15) ?? '';
    for (const name of [expired, handle, 'oh_ABCDEFGHIJKL', '../../etc', ''])
      expect(await codeOf(store.keep(name, undefined)), name).toBe('output_handle_not_found');
    expect(await codeOf(store.release('oh_ABCDEFGHIJKL'))).toBe('output_handle_not_found');
    await writer.abort();
    await store.sweep();
    expect(await filesBelow(join(home, 'output'))).toEqual([]);
  });

  it('a folder without an output is swept, and one of a process that has died', async () => {
    const { store, keep, home } = await setUp();
    const handle = await keep(itemsPayload([1]));
    const dead = await keep(itemsPayload([2]));
    await store.keep(handle, undefined);
    await store.keep(dead, undefined);
    const kept = join(home, 'output', 'kept');
    await rm(join(kept, handle, `${handle}.meta.json`));
    await nodeFileSystem.rename(join(kept, dead), join(kept, `${dead}.4194303-1-1.tmp`));
    await store.sweep();
    expect(await readdir(kept)).toEqual([]);
    expect((await store.list()).map(({ kept: facts }) => facts)).toEqual([null, null]);
  });
});

it.each(['', '{', '\0'.repeat(60), '{"note":5,"since_ms":1}', 'x'.repeat(100_000)])(
  'a damaged note keeps it, too: %j',
  async (damage) => {
    const clock = new FakeClock();
    const { store, keep, home } = await setUp({ clock });
    const handle = await keep(itemsPayload([1]));
    await store.keep(handle, note('n'));
    await writeFile(join(home, 'output', 'kept', handle, `${handle}.note`), damage);
    clock.pass(25 * HOUR_MS);
    await store.sweep();
    expect(await store.list()).toMatchObject([{ handle, kept: { note: null, since_ms: null } }]);
    await store.keep(handle, note('again'));
    expect(await store.list()).toMatchObject([{ handle, kept: { note: 'again' } }]);
  },
);

describe('a disk that fails once, at any step', () => {
  const OPS: readonly Operation['op'][] = [
    'create',
    'write',
    'sync',
    'link',
    'rename',
    'makeFolder',
    'syncFolder',
  ];

  it.each([
    ['ENOSPC', 'store_full'],
    ['EIO', 'store_write_failed'],
    ['EPERM', 'store_write_failed'],
  ])('%s is %s: it is kept whole or not at all, and the next attempt works', async (errno, code) => {
    const plan = { at: 0, seen: 0 };
    const fs = hookedFileSystem(({ op }) => {
      if (!OPS.includes(op)) return;
      plan.seen += 1;
      if (plan.seen === plan.at) throw Object.assign(new Error(errno), { code: errno });
    });
    const { store, keep, fetch, home } = await setUp({ fs });
    const handle = await keep(itemsPayload([1, 2]));
    const before = await filesBelow(home);
    for (let at = 1; ; at += 1) {
      Object.assign(plan, { at, seen: 0 });
      const result = await codeOf(store.keep(handle, note('n')));
      const { seen } = plan;
      Object.assign(plan, { at: 0 });
      if (seen < at) {
        expect(result).toBe('no error');
        // Folder, note, its fsync, three links, the rename, three fsyncs of folders.
        expect(at - 1).toBeGreaterThanOrEqual(9);
        break;
      }
      expect(result).toBe(code);
      expect((await fetch({ output_handle: handle })).total).toBe(2);
      const [listed] = await store.list();
      if (listed?.kept === null) expect(await filesBelow(home)).toEqual(before);
      await store.release(handle);
      expect(await filesBelow(home)).toEqual(before);
    }
    for (let at = 1; ; at += 1) {
      Object.assign(plan, { at, seen: 0 });
      const result = await codeOf(store.release(handle));
      const { seen } = plan;
      Object.assign(plan, { at: 0 });
      if (seen < at) break;
      expect(result).toBe(code);
      await store.keep(handle, note('n'));
    }
    await store.release(handle);
    expect(await filesBelow(home)).toEqual(before);
  });
});

describe('two servers at once', () => {
  it('one keeps while the other takes away: the first one wins, at any step', async () => {
    let kept = 0;
    for (let step = 1; ; step += 1) {
      const clock = new FakeClock();
      const home = (await setUp()).home;
      const sweeper = await setUp({ home, clock });
      const state = { at: 0, seen: 0, sweeping: Promise.resolve<unknown>(undefined) };
      // The sweep of the other begins and ends before this step of the first.
      const fs = hookedFileSystem(() => {
        state.seen += 1;
      });
      const stepped: typeof fs = new Proxy(fs, {
        get:
          (target, name: keyof typeof fs) =>
          async (...args: never[]) => {
            const before = state.seen;
            const operation: (...all: never[]) => unknown = target[name];
            if (before + 1 === state.at) {
              clock.pass(25 * HOUR_MS);
              await sweeper.store.sweep();
            }
            return operation(...args);
          },
      });
      const keeper = await setUp({ home, clock, fs: stepped });
      const handle = await keeper.keep(itemsPayload([1, 2]));
      Object.assign(state, { at: step, seen: 0 });
      const result = await codeOf(keeper.store.keep(handle, note('n')));
      const { seen } = state;
      state.at = 0;
      await sweeper.store.sweep();
      const listed = await sweeper.store.list();
      if (result === 'no error') {
        kept += 1;
        expect(listed).toMatchObject([{ handle, kept: { note: 'n' } }]);
        expect(await allItems(sweeper.fetch, handle)).toEqual([1, 2]);
      } else {
        expect(result).toBe('output_handle_not_found');
        expect(listed).toEqual([]);
        expect(await filesBelow(home)).toEqual([]);
      }
      if (seen < step) break;
    }
    expect(kept).toBeGreaterThan(1);
  });
});
