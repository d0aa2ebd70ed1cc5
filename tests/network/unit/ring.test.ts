import type { JsonObject } from '../../../shared/base/json.ts';
import { vouch } from '../../support/clean.ts';
import { readdir } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Scratch } from '../../../server/core/services.ts';
import { createScratch } from '../../../server/core/machine/private-folder.ts';
import type { PreparedEntry } from '../../../server/libraries/har/parts.ts';
import { NetworkRing, RingReader } from '../../../server/network/ring.ts';
import { silentLogger } from '../../support/app-options.ts';
import { expectOwnerOnly } from '../../support/posix.ts';
import { testFolder } from '../../support/test-folder.ts';

let home: string;
let scratch: Scratch;
beforeEach(() => {
  home = testFolder();
  scratch = createScratch({ home, logger: silentLogger });
});
afterEach(() => scratch.close());
const KIB = 1_024;
const none = { secrets: {}, invisibleCharacters: 0, instructionLike: 0 };
function prepared(id: number, text: string | null, tab = 'b1:1'): PreparedEntry {
  const startedDateTime = '2026-01-01T00:00:00.000Z';
  const part = vouch({ _id: `r${id}`, startedDateTime, request: { url: `http://a.test/${id}` } });
  const content = vouch<JsonObject>({ response: { content: { text } } });
  const bodies = text === null ? null : { part: content, report: none };
  return { id, tab, head: { part, report: none, missing: null }, bodies };
}

const ringOf = (maxBytes: number, room: Scratch = scratch): NetworkRing =>
  new NetworkRing({ maxBytes, scratch: room, logger: silentLogger });

async function files(): Promise<string[]> {
  const names = await readdir(join(home, 'tmp'), { recursive: true, withFileTypes: true }).catch(() => []);
  return names.filter((name) => name.isFile()).map((name) => join(name.parentPath, name.name));
}

async function readAll(ring: NetworkRing): Promise<{ id: string; text: unknown }[]> {
  const records = ring.records(null);
  const reader = new RingReader(records);
  const found = [];
  for (const record of records) {
    const { part } = await reader.head(record);
    const bodies = record.bodies === null ? null : await reader.bodies(record.bodies);
    found.push({ id: part._id, text: JSON.stringify(bodies?.part ?? null) });
  }
  await reader.close();
  return found;
}

it('the ring gives back what it took, from memory and from private files, in the order of the requests', async () => {
  const ring = ringOf(64 * 1_024 * KIB);
  const ids = Array.from({ length: 400 }, (_, index) => 400 - index);
  for (const id of ids) {
    ring.add(prepared(id, `${id}-${'x'.repeat(64 * KIB)}`));
    await ring.awaitSettled();
  }
  const written = await files();
  expect(written.length).toBeGreaterThan(0);
  for (const path of written) await expectOwnerOnly(path);
  const found = await readAll(ring);
  expect(found.map(({ id }) => id)).toEqual(ids.toSorted((a, b) => a - b).map((id) => `r${id}`));
  for (const { id, text } of found) expect(text).toContain(`"${id.slice(1)}-xxx`);
  await ring.close();
  expect(await files()).toEqual([]);
});

it('the ring drops the oldest and counts it: bodies before entries', async () => {
  const ring = ringOf(256 * KIB);
  for (let id = 1; id <= 100; id += 1) ring.add(prepared(id, 'x'.repeat(8 * KIB)));
  await ring.awaitSettled();
  const { entries, dropped_bodies, dropped_entries, size_bytes, max_bytes } = ring.facts;
  expect(size_bytes).toBeLessThanOrEqual(max_bytes);
  expect({ entries, dropped_entries }).toEqual({ entries: 100, dropped_entries: 0 });
  const records = ring.records(null);
  const lost = records.filter((record) => record.hasLostBodies);
  expect(dropped_bodies).toBe(lost.length);
  expect(lost.length).toBeGreaterThan(70);
  expect(lost.at(-1)?.id).toBeLessThan(records.find(({ bodies }) => bodies !== null)?.id ?? 0);
  for (let id = 101; id <= 2_000; id += 1) ring.add(prepared(id, null));
  await ring.awaitSettled();
  expect(ring.facts.dropped_entries + ring.facts.entries).toBe(2_000);
  expect(ring.facts.dropped_entries).toBeGreaterThan(0);
  expect(ring.records(null).at(-1)?.id).toBe(2_000);
  await ring.close();
});

const quota = -constants.errno.EDQUOT;
it.each([
  { code: 'ENOSPC', errno: -constants.errno.ENOSPC },
  // libuv has no name for it.
  { code: `Unknown system error ${quota}`, errno: quota },
])('the ring continues in memory when the disk is full ($code), and says so', async (facts) => {
  let isFull = true;
  const full: Scratch = {
    folder: () => (isFull ? Promise.reject(Object.assign(new Error(facts.code), facts)) : scratch.folder()),
    close: () => Promise.resolve(),
  };
  const ring = ringOf(64 * 1_024 * KIB, full);
  for (let id = 1; id <= 400; id += 1) {
    ring.add(prepared(id, 'x'.repeat(64 * KIB)));
    await ring.awaitSettled();
  }
  expect(ring.facts).toMatchObject({ entries: 400, disk_error: 'store_full' });
  expect(ring.facts.dropped_bodies).toBeGreaterThan(200);
  const kept = (await readAll(ring)).filter(({ text }) => text !== 'null');
  expect(kept.length).toBe(400 - ring.facts.dropped_bodies);
  expect(kept.at(-1)?.id).toBe('r400');
  isFull = false;
  const { dropped_bodies } = ring.facts;
  for (let id = 401; id <= 600; id += 1) ring.add(prepared(id, 'x'.repeat(64 * KIB)));
  await ring.awaitSettled();
  expect(ring.facts.dropped_bodies).toBe(dropped_bodies);
  await ring.close();
  expect(await files()).toEqual([]);
});
