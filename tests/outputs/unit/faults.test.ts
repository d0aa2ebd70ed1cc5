import { expect, it } from 'vitest';
import type { JsonValue } from '../../../shared/base/json.ts';
import { MIME } from '../../../shared/base/mime.ts';
import { sample } from '../../support/depth.ts';
import { itemsPayload, textPayload } from '../../support/payloads.ts';
import { allItems, filesBelow, setUp } from './support.ts';
import { failWith, stagedFileSystem, type Operation } from './hooked-file-system.ts';

const items: JsonValue[] = Array.from({ length: 22_000 }, (_, index) => `item ${index}`);

/** A store whose Nth operation of the given kinds may fail, once. */
async function failing(ops: readonly Operation['op'][]) {
  const disk = stagedFileSystem(ops);
  return { ...(await setUp({ fs: disk.fs })), at: disk.at };
}

const WRITING = 'create write sync close makeFolder syncFolder'.split(' ');
const errors = [
  ['ENOSPC', 'store_full'],
  ['EDQUOT', 'store_full'],
  ['EFBIG', 'store_full'],
  ['EIO', 'store_write_failed'],
  ['EROFS', 'store_write_failed'],
  ['EMFILE', 'store_write_failed'],
] as const;
it.each(sample(errors, 3))(
  'a disk that fails once, at any step of writing %s is %s; nothing is left, the rest stays readable, the next one works',
  async (errno, code) => {
    const { keep, fetch, home, at } = await failing(WRITING as Operation['op'][]);
    const output_handle = await keep(itemsPayload(items));
    const before = await filesBelow(home);
    for (let step = 1; ; step += 1) {
      const result = await at(step, failWith(errno), () => keep(itemsPayload(items)));
      expect(result.code).toBe(result.hasActed ? code : 'no error');
      // Three blocks and their index, their fsyncs, an fsync of the folder.
      if (!result.hasActed) expect(result.seen).toBeGreaterThanOrEqual(12);
      if (!result.hasActed) break;
      expect(await filesBelow(home)).toEqual(before);
    }
    expect(await allItems(fetch, output_handle, 10_000)).toEqual(items);
  },
);

it('a disk that fails once, at any step of writing never repeats an fsync that failed', async () => {
  const { keep, at } = await failing(['sync', 'syncFolder']);
  const again = () => keep(textPayload(MIME.text, 'x'));
  await again();
  for (let step = 1; step <= 2; step += 1)
    expect(await at(step, failWith('EIO'), again)).toMatchObject({ code: 'store_write_failed', seen: step });
});

it.each(['EMFILE', 'EIO'])('a disk that fails to read (%s) is not damage, and recovers', async (errno) => {
  const { keep, fetch, at } = await failing(['open', 'read', 'sizeBytes']);
  const output_handle = await keep(itemsPayload(items));
  const request = { output_handle, offset: 20_000, limit: 1 };
  for (let step = 1; step <= 6; step += 1) {
    const result = await at(step, failWith(errno), () => fetch(request));
    expect(result).toMatchObject({ code: 'store_read_failed', hasActed: true });
    expect((await fetch(request)).content).toEqual(['item 20000']);
  }
  expect((await at(7, failWith(errno), () => fetch(request))).seen).toBe(6);
});
