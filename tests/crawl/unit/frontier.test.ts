import fc from '../../support/property.ts';
import { expect, test } from 'vitest';
import { vouch } from '../../../server/libraries/redaction/mark.ts';
import { Frontier, type WaitingPage } from '../../../server/crawl/frontier.ts';
import { MemoryDisk, MemoryScope } from './memory-run.ts';

const page = (key: string): WaitingPage => ({ key: vouch(key), href: vouch(`http://site.test/${key}`) });
const always = (): boolean => true;

/** A frontier over a disk in memory, updated by commits. */
class Rig {
  readonly disk = new MemoryDisk();
  readonly scope = new MemoryScope(this.disk);
  frontier = new Frontier(this.scope.state);

  admit(keys: readonly string[], depth: number, rank: number): Promise<void> {
    return this.scope.commit({
      change: (change) => void this.frontier.admit(change, keys.map(page), { depth, rank }),
    });
  }

  async drain(): Promise<string[]> {
    const keys: string[] = [];
    for (;;) {
      const entry = this.frontier.next(always);
      if (entry !== null) {
        keys.push(entry.key);
        await this.scope.commit({ change: (change) => this.frontier.markDone(change, entry) });
        this.frontier.release(entry);
      } else if (this.frontier.hasDeeper) this.frontier.descend();
      else return keys;
    }
  }
}

test('a page that is found by a shorter way moves forward while it waits', async () => {
  const rig = new Rig();
  await rig.admit(['start'], 0, 0);
  await rig.admit(['deep'], 3, 9);
  await rig.admit(['deep'], 1, 1);
  expect(rig.frontier.next(always)?.key).toBe('start');
  expect(rig.frontier.next(always)).toBeNull();
  rig.frontier.descend();
  expect(rig.frontier.next(always)).toMatchObject({ key: 'deep', depth: 1 });
  expect([...rig.disk.entries.keys()].filter((key) => key.startsWith('["q",3'))).toEqual([]);
});

test('whatever was taken and not done is given out again by the next frontier, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 6 }), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 0, max: 20 }),
      async (commits, takes) => {
        const rig = new Rig();
        for (const [at, links] of commits.entries())
          await rig.admit(
            links.map((link) => `p${link}`),
            0,
            at,
          );
        for (let at = 0; at < takes; at += 1) rig.frontier.next(always);
        rig.frontier = new Frontier(rig.scope.state);
        const all = [...new Set(commits.flat().map((link) => `p${link}`))];
        expect((await rig.drain()).sort()).toEqual(all.sort());
      },
    ),
    { numRuns: 50 },
  );
});
