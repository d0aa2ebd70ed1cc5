import { expect, test } from 'vitest';
import { boundsTable, mergeResults } from '../../../bench/lib/report.mjs';

const machine = (date: string) => ({
  ...{ date, node: 'v20.19.0', platform: 'linux x64', cpu: 'a processor', cores: 2 },
  ...{ memory: '4 GiB', browser: 'Chromium 150.0.0.0' },
});
const table = (title: string, value: string, note?: string) => ({
  title,
  head: ['server', 'time'],
  rows: [['one | two', value]],
  ...(note === undefined ? {} : { note }),
});
const bounds = (values: Readonly<Record<string, number>>) =>
  boundsTable(Object.entries(values).map(([name, value]) => ({ name, value, most: 10, unit: 'ms' })));

const EARLIER = mergeResults('', {
  machine: machine('2026-01-01'),
  tables: [table('Start', '5 ms'), table('Reads', '6 ms', 'A note.'), bounds({ start: 5, read: 6 })],
  isWhole: true,
});
/** Each title with the text below it. */
const blocksOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(/^### /m)
      .slice(1)
      .map((block) => [block.split('\n')[0] ?? '', block.split('\n').slice(2).join('\n').trim()]),
  );

test('the tables of a run that measured a part stand in place of those with their titles, with their date, bounds last', () => {
  const part = {
    machine: machine('2026-02-02'),
    tables: [table('Reads', '7 ms'), table('Clicks', '8 ms'), bounds({ read: 11, click: 8 })],
    isWhole: false,
  };
  const merged = mergeResults(EARLIER, part);
  const blocks = blocksOf(merged);
  expect(Object.keys(blocks)).toEqual(['Start', 'Reads', 'Clicks', 'Bounds']);
  expect(blocks.Start).toBe(blocksOf(EARLIER).Start);
  expect(blocks.Reads).toContain('7 ms');
  expect(merged).not.toContain('A note.');
  expect(merged).toMatch(/^Taken 2026-01-01 /);
  expect(blocks.Clicks).toContain('Taken 2026-02-02 on a processor');
  expect(blocks.Bounds?.replaceAll(/ +/g, ' ')).toMatch(
    /start \| at most 10 ms \| 5.0 ms \| kept .*\n.* read .* missed .*\n.* click .* kept /,
  );
  expect(mergeResults(merged, part)).toBe(merged);
});

test('the tables of a whole run stand in place of all', () => {
  const whole = { machine: machine('2026-02-02'), tables: [table('Clicks', '8 ms')], isWhole: true };
  const merged = mergeResults(EARLIER, whole);
  expect(merged).toMatch(/^Taken 2026-02-02 /);
  expect(Object.keys(blocksOf(merged))).toEqual(['Clicks']);
});
