import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MIME } from '../../../shared/mime.ts';
import { nodeFileSystem } from '../../../server/output/file-system.ts';
import { codeOf } from '../../support/code-of.ts';
import { itemsPayload, textPayload } from '../../support/payloads.ts';
import { FakeClock, filesBelow, HOUR_MS, setUp } from './support.ts';

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (thrown: Error) => thrown.message,
  );

describe('an output that a person deletes', () => {
  it('is gone with all of its files, and its readers learn that a person deleted it', async () => {
    const { store, keep, fetch, journal, home } = await setUp();
    const handle = await keep(itemsPayload([1, 2, 3]));
    const ended: string[] = [];
    store.onEnd((gone) => ended.push(gone));
    await store.delete(handle);
    expect((await filesBelow(join(home, 'output'))).map((path) => path.split('/')[1])).toEqual([
      `${handle}.deleted`,
    ]);
    expect(await codeOf(fetch({ output_handle: handle }))).toBe('output_handle_not_found');
    expect(await messageOf(fetch({ output_handle: handle }))).toContain('A person has deleted');
    expect(ended).toEqual([handle]);
    expect(journal.at(-1)).toMatchObject({
      event: 'output_handle_deleted',
      handle,
      source_tool: 'read_page',
    });
    expect(await store.list()).toEqual([]);
  });

  it('another server of the home says so, too, and only of that one', async () => {
    const one = await setUp();
    const other = await setUp({ home: one.home });
    const handle = await one.keep(textPayload(MIME.markdown, 'page'));
    await other.store.delete(handle);
    expect(await messageOf(one.fetch({ output_handle: handle }))).toContain('A person has deleted');
    expect(await messageOf(one.fetch({ output_handle: 'oh_ABCDEFGHIJKL' }))).toContain(
      'There is no output handle',
    );
    expect(await codeOf(one.store.delete(handle))).toBe('output_handle_not_found');
  });

  it('a sweep keeps what says so for as long as the output would have been there', async () => {
    const clock = new FakeClock();
    clock.wall = Date.now();
    const { store, keep, home } = await setUp({ clock });
    await store.delete(await keep(itemsPayload([1])));
    clock.pass(23 * HOUR_MS);
    await store.sweep();
    expect(await filesBelow(join(home, 'output'))).toHaveLength(1);
    clock.pass(2 * HOUR_MS);
    expect(await store.sweep()).toMatchObject({ leftoversRemoved: 1, foldersRemoved: 1 });
    expect(await filesBelow(join(home, 'output'))).toEqual([]);
  });

  it('that the disk does not let go is still there', async () => {
    let isStuck = false;
    const fs = {
      ...nodeFileSystem,
      unlink: (path: string) =>
        isStuck && path.endsWith('meta.json')
          ? Promise.reject(Object.assign(new Error('EACCES'), { code: 'EACCES' }))
          : nodeFileSystem.unlink(path),
    };
    const { store, keep, fetch, journal } = await setUp({ fs });
    const handle = await keep(itemsPayload([1]));
    isStuck = true;
    expect(await codeOf(store.delete(handle))).toBe('store_write_failed');
    expect((await fetch({ output_handle: handle })).total).toBe(1);
    expect(journal.map(({ event }) => event)).toEqual(['output_handle_created']);
    isStuck = false;
    await store.delete(handle);
    expect(await messageOf(fetch({ output_handle: handle }))).toContain('A person has deleted');
  });
});
