import { expect, it } from 'vitest';
import { mergePages } from '../../../extension/activity/worker/feed-page.ts';
import type { TimelinePlace } from '../../../extension/ui/frame/feed-port.ts';
import fc from '../../support/property.ts';

interface Placed {
  readonly position: string;
  readonly line: { readonly id: string; readonly ts: string; readonly event: string };
}

const journal = (home: string, seconds: readonly number[]): Placed[] =>
  [...seconds]
    .sort((a, b) => b - a)
    .map((second, n) => ({
      position: `2026-05-19:${seconds.length - n}`,
      line: { id: `${home}-${seconds.length - n}`, ts: new Date(second * 1_000).toISOString(), event: 'x' },
    }));

function pageOf(lines: readonly Placed[], before: string | undefined, size: number) {
  const from = before === undefined ? 0 : lines.findIndex(({ position }) => position === before) + 1;
  const page = lines.slice(from, from + size);
  return { lines: page, next: from + size < lines.length ? (page.at(-1)?.position ?? null) : null };
}

const Seconds = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 25 });

it('pages of two journals are all their lines, once, newest first, whatever the sizes are', () => {
  fc.assert(
    fc.property(Seconds, Seconds, fc.integer({ min: 1, max: 7 }), (one, other, limit) => {
      const journals: Record<string, Placed[]> = { a: journal('a', one), b: journal('b', other) };
      const all = Object.values(journals).flat();
      const got: Placed['line'][] = [];
      let before: TimelinePlace = {};
      for (let pages = 0; ; pages += 1) {
        expect(pages).toBeLessThanOrEqual(all.length + 2);
        const asked = Object.entries(journals).filter(([home]) => before[home] !== null);
        const merged = mergePages(
          Object.fromEntries(
            asked.map(([home, lines]) => [home, pageOf(lines, before[home] ?? undefined, limit)]),
          ),
          { before, limit },
        );
        expect(merged.lines.length).toBeLessThanOrEqual(limit);
        got.push(...merged.lines.map(({ line }) => line));
        if (merged.next === null) break;
        before = merged.next;
      }
      expect(got.map(({ id }) => id).toSorted()).toEqual(all.map(({ line }) => line.id).toSorted());
      const times = got.map(({ ts }) => ts);
      expect(times).toEqual(times.toSorted().toReversed());
    }),
  );
});
