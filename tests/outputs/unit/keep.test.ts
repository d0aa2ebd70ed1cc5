import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HomeDatabase } from '../../../server/core/home/database.ts';
import { MIME } from '../../../shared/base/mime.ts';
import type { OutputStore } from '../../../server/core/output/store.ts';
import { vouch } from '../../../server/libraries/redaction/mark.ts';
import { codeOf } from '../../support/code-of.ts';
import { itemsPayload, textPayload } from '../../support/payloads.ts';
import { BY_NAME, failWith, stagedFileSystem } from './hooked-file-system.ts';
import { allItems, FakeClock, filesBelow, HOUR_MS, setUp } from './support.ts';

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (thrown: Error) => thrown.message,
  );
const text = (size: number) => textPayload(MIME.text, 'x'.repeat(size));
const note = (value: string) => vouch(value);
const DELETED = 'A person deleted';

async function shelf(wall = new FakeClock().wall) {
  const clock = Object.assign(new FakeClock(), { wall });
  const made = await setUp({ clock });
  const ended: string[] = [];
  made.store.onEnd((handle) => ended.push(handle));
  return { ...made, clock, ended, files: () => filesBelow(join(made.home, 'output')) };
}

describe('an output that is kept', () => {
  it('outlives its time and every sweep, and says why', async () => {
    const { store, keep, fetch, journal, clock, files } = await shelf();
    const handle = await keep(itemsPayload([1, 2, 3]));
    const other = await keep(itemsPayload([4]));
    expect(await store.keep(handle, note('prices of May'))).toMatchObject({
      kept: { note: 'prices of May', since_ms: clock.wall },
    });
    clock.pass(1_000 * HOUR_MS);
    expect((await store.sweep()).evicted).toBe(1);
    expect(await allItems(fetch, handle)).toEqual([1, 2, 3]);
    expect(await codeOf(fetch({ output_handle: other }))).toBe('output_handle_not_found');
    expect(await store.list()).toMatchObject([{ handle, kept: { note: 'prices of May' } }]);
    expect((await store.usage()).handles).toBe(1);
    expect((await files()).every((path) => path.includes(handle))).toBe(true);
    expect(journal.map(({ event }) => event).slice(2)).toEqual([
      'output_handle_kept',
      'output_handle_evicted',
    ]);
  });

  it('makes no room for others, and takes half of the bound at most', async () => {
    const { store, keep, fetch } = await setUp({ maxBytes: 10_000 });
    const first = await keep(text(2_000));
    const second = await keep(text(3_001));
    const third = await keep(text(2_000));
    await store.keep(first, undefined);
    expect(await codeOf(store.keep(second, undefined))).toBe('kept_full');
    expect(await messageOf(store.keep(second, undefined))).toContain(`2000 bytes are kept (${first} 2000)`);
    expect(await store.keep(third, undefined)).toMatchObject({ keptBytes: 4_000, keptMaxBytes: 5_000 });
    const fourth = await keep(text(6_000));
    // The newest first, also of one millisecond.
    expect((await store.list()).map(({ handle }) => handle)).toEqual([fourth, third, first]);
    expect(await codeOf(keep(text(6_001)))).toBe('store_full');
    // An output that does not fit removes nothing.
    expect((await fetch({ output_handle: fourth })).total).toBe(6_000);
  });

  it('stays, also where its note is damaged', async () => {
    const { store, keep, home, clock } = await shelf();
    const handle = await keep(itemsPayload([1]));
    await store.keep(handle, note('n'));
    const database = new HomeDatabase(home);
    database.write(() => database.run('UPDATE output SET note = NULL, kept_since_ms = NULL'));
    database.close();
    clock.pass(25 * HOUR_MS);
    await store.sweep();
    expect(await store.list()).toMatchObject([{ handle, kept: { note: null, since_ms: null } }]);
    await store.keep(handle, note('again'));
    expect(await store.list()).toMatchObject([{ handle, kept: { note: 'again' } }]);
    expect(await store.release(handle)).toMatchObject({ kept: null });
  });

  it('while another server takes it away: the first one wins, at any step', async () => {
    let kept = 0;
    for (let step = 1; ; step += 1) {
      const disk = stagedFileSystem(BY_NAME);
      const sweeper = await shelf();
      const { home, clock } = sweeper;
      const keeper = await setUp({ home, clock, fs: disk.fs });
      const handle = await keeper.keep(itemsPayload([1, 2]));
      const sweep = () => {
        clock.pass(25 * HOUR_MS);
        return sweeper.store.sweep();
      };
      const { code, hasActed } = await disk.at(step, sweep, () => keeper.store.keep(handle, note('n')));
      await sweeper.store.sweep();
      const listed = await sweeper.store.list();
      if (code === 'no error') {
        kept += 1;
        expect(listed).toMatchObject([{ handle, kept: { note: 'n' } }]);
        expect(await allItems(sweeper.fetch, handle)).toEqual([1, 2]);
      } else {
        expect(code).toBe('output_handle_not_found');
        expect(listed).toEqual([]);
        expect(await sweeper.files()).toEqual([]);
      }
      if (!hasActed) break;
    }
    expect(kept).toBeGreaterThan(0);
  });

  it('is not kept, and leaves nothing behind, where it has ended or never was one', async () => {
    const { store, keep, clock, files } = await shelf();
    const expired = await keep(itemsPayload([1]));
    clock.pass(25 * HOUR_MS);
    const writer = await store.create({ tool: 't', mimeType: MIME.json, kind: 'items' });
    const [written = ''] = (await files()).filter((path) => !path.startsWith(expired));
    for (const name of [expired, written.slice(0, 15), 'oh_ABCDEFGHIJKL', '../../etc', ''])
      expect(await codeOf(store.keep(name, undefined)), name).toBe('output_handle_not_found');
    expect(await codeOf(store.release('oh_ABCDEFGHIJKL'))).toBe('output_handle_not_found');
    await writer.abort();
    await store.sweep();
    expect(await files()).toEqual([]);
  });
});

it('an output that is kept by a person is released by a person alone, also where an agent keeps it, too', async () => {
  const { store, keep } = await setUp();
  const handle = await keep(itemsPayload([1]));
  const by = async () => (await store.list())[0]?.kept?.by;
  await store.keep(handle, note('of an agent'));
  expect(await by()).toBe('agent');
  await store.keep(handle, undefined, 'person');
  await store.keep(handle, note('of an agent again'));
  expect(await by()).toBe('person');
  expect(await codeOf(store.release(handle))).toBe('invalid_argument');
  expect(await store.list()).toMatchObject([{ kept: { note: 'of an agent again', by: 'person' } }]);
  expect(await store.release(handle, 'person')).toMatchObject({ kept: null });
  // From here on it is like any other.
  for (const releaser of ['person', 'agent'] as const) {
    await store.keep(handle, undefined);
    expect(await store.release(handle, releaser)).toMatchObject({ kept: null });
  }
});

it.each([
  ['releases it', (store: OutputStore, handle: string) => store.release(handle)],
  ['writes a note', (store: OutputStore, handle: string) => store.keep(handle, note('n'))],
])('an output kept by a person while an agent %s stays with the person, at any step', async (_, act) => {
  const refused: string[] = [];
  for (let step = 1; ; step += 1) {
    const disk = stagedFileSystem(BY_NAME);
    const person = await shelf();
    const agent = await setUp({ home: person.home, fs: disk.fs });
    const handle = await agent.keep(itemsPayload([1]));
    await agent.store.keep(handle, note('of an agent'));
    const { code, hasActed } = await disk.at(
      step,
      () => person.store.keep(handle, undefined, 'person'),
      () => act(agent.store, handle),
    );
    refused.push(code);
    if (!hasActed) break;
    expect(await person.store.list(), `step ${step}`).toMatchObject([{ handle, kept: { by: 'person' } }]);
    expect(await codeOf(agent.store.release(handle))).toBe('invalid_argument');
    await person.store.release(handle, 'person');
    expect((await person.files()).filter((path) => path.includes('kept'))).toEqual([]);
  }
  expect(refused.at(-1)).toBe('no error');
  expect(refused.length).toBeGreaterThan(2);
});

describe('an output that a person deletes', () => {
  it('is gone with all of its files, kept or not, and readers in each server learn who deleted it', async () => {
    const { store, keep, fetch, journal, home, clock, ended, files } = await shelf(Date.now());
    const other = await setUp({ home, clock });
    for (const [isKept, passed] of [
      [false, 0],
      [true, 0],
      [true, 25 * HOUR_MS],
    ] as const) {
      const handle = await keep(itemsPayload([1, 2, 3]));
      if (isKept) await store.keep(handle, undefined);
      clock.pass(passed);
      await store.sweep();
      await store.delete(handle);
      expect(await files()).toEqual([]);
      for (const reader of [fetch, other.fetch])
        expect(await messageOf(reader({ output_handle: handle }))).toContain(DELETED);
      expect(await messageOf(store.keep(handle, undefined))).toContain(DELETED);
      expect(await codeOf(other.store.delete(handle))).toBe('output_handle_not_found');
      expect(ended.at(-1)).toBe(handle);
      expect(journal.at(-1)).toMatchObject({
        event: 'output_handle_deleted',
        handle,
        source_tool: 'read_page',
      });
      expect(await store.list()).toEqual([]);
    }
    expect(await messageOf(other.fetch({ output_handle: 'oh_ABCDEFGHIJKL' }))).not.toContain(DELETED);
  });

  it('is still there when the disk does not let go', async () => {
    const disk = stagedFileSystem(['unlink']);
    const { store, keep, fetch, journal } = await setUp({ fs: disk.fs });
    const handle = await keep(itemsPayload([1]));
    const failed = await disk.at(1, failWith('EACCES'), () => store.delete(handle));
    expect(failed.code).toBe('store_write_failed');
    expect((await fetch({ output_handle: handle })).total).toBe(1);
    expect(journal.map(({ event }) => event)).toEqual(['output_handle_created']);
    await store.delete(handle);
    expect(await messageOf(fetch({ output_handle: handle }))).toContain(DELETED);
  });
});
