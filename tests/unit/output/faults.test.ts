import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../shared/json.ts';
import { MIME } from '../../../shared/mime.ts';
import { sample } from '../../support/depth.ts';
import { itemsPayload, textPayload } from '../../support/payloads.ts';
import { codeOf } from '../../support/code-of.ts';
import { allItems, filesBelow, setUp } from './support.ts';
import { hookedFileSystem, type Operation } from './hooked-file-system.ts';

const items: JsonValue[] = Array.from({ length: 30_000 }, (_, index) => `item ${index}`);

/** A store whose Nth operation of the given kinds fails, once. */
async function failing(ops: readonly Operation['op'][]) {
  const plan = { at: 0, errno: '', seen: 0, hasFailed: false };
  const fs = hookedFileSystem(({ op }) => {
    if (!ops.includes(op)) return;
    plan.seen += 1;
    if (plan.seen !== plan.at) return;
    plan.hasFailed = true;
    throw Object.assign(new Error(`${plan.errno}: injected`), { code: plan.errno });
  });
  const store = await setUp({ fs });
  return {
    ...store,
    failNext: (at: number, errno: string) => Object.assign(plan, { at, errno, seen: 0, hasFailed: false }),
    plan,
  };
}

const WRITING = [
  'create',
  'write',
  'sync',
  'close',
  'rename',
  'makeFolder',
  'listFolders',
  'syncFolder',
] as const;

describe('a disk that fails once, at any step of writing', () => {
  const errors = [
    ['ENOSPC', 'store_full'],
    ['EDQUOT', 'store_full'],
    ['EFBIG', 'store_full'],
    ['EIO', 'store_write_failed'],
    ['EROFS', 'store_write_failed'],
    ['EMFILE', 'store_write_failed'],
  ] as const;
  it.each(sample(errors, 3))(
    '%s is %s; nothing is left, the rest stays readable, the next one works',
    async (errno, code) => {
      const { keep, fetch, home, failNext, plan } = await failing(WRITING);
      const output_handle = await keep(itemsPayload(items));
      const before = await filesBelow(home);
      let steps = 0;
      for (;;) {
        failNext(steps + 1, errno);
        const result = await codeOf(keep(itemsPayload(items)));
        if (!plan.hasFailed) {
          expect(result).toBe('no error');
          failNext(0, '');
          break;
        }
        steps += 1;
        expect(result).toBe(code);
        expect(await filesBelow(home)).toEqual(before);
      }
      // Three blocks and their index, the meta, their fsyncs, three renames, two fsyncs of the folder.
      expect(steps).toBeGreaterThanOrEqual(20);
      expect(await allItems(fetch, output_handle, 10_000)).toEqual(items);
    },
  );

  it('never repeats an fsync that failed', async () => {
    const { keep, failNext, plan } = await failing(['sync', 'syncFolder']);
    await keep(textPayload(MIME.text, 'x'));
    for (let at = 1; at <= 4; at += 1) {
      failNext(at, 'EIO');
      expect(await codeOf(keep(textPayload(MIME.text, 'x')))).toBe('store_write_failed');
      expect(plan.seen).toBe(at);
    }
  });
});

it.each(['EMFILE', 'EIO'])(
  'a disk that fails to read (%s) is distinguished from damage, and recovers',
  async (errno) => {
    const { keep, fetch, failNext, plan } = await failing(['open', 'read', 'stat', 'listFolders']);
    const output_handle = await keep(itemsPayload(items));
    for (let at = 1; ; at += 1) {
      failNext(at, errno);
      const result = await codeOf(fetch({ output_handle, offset: 20_000 }));
      if (!plan.hasFailed) {
        // The folders; meta, index and payload opened, measured and read.
        expect(at - 1).toBe(10);
        break;
      }
      expect(result).toBe('store_read_failed');
      expect((await fetch({ output_handle, offset: 20_000, limit: 1 })).content).toEqual(['item 20000']);
    }
  },
);

it('a file that cannot be removed keeps a sweep from nothing else', async () => {
  const { keep, store, home, failNext } = await failing(['unlink']);
  const expired = await setUp({ home, ttlHours: 0 });
  await keep(textPayload(MIME.text, 'x'));
  for (let count = 0; count < 3; count += 1) await expired.keep(textPayload(MIME.text, 'y'));
  failNext(1, 'EACCES');
  expect((await store.sweep()).evicted).toBe(2);
  expect((await store.sweep()).evicted).toBe(1);
  expect(await filesBelow(home)).toHaveLength(2);
});
