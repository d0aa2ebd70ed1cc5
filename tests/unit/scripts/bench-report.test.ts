import { describe, expect, test } from 'vitest';
import { boundsTable, mergeResults } from '../../../bench/lib/report.mjs';

const machine = (date: string) => ({
  date,
  node: 'v20.19.0',
  platform: 'linux x64',
  cpu: 'a processor',
  cores: 2,
  memory: '4 GiB',
  browser: 'Chromium 150.0.0.0',
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

describe('the tables of a run that measured a part', () => {
  const merged = mergeResults(EARLIER, {
    machine: machine('2026-02-02'),
    tables: [table('Reads', '7 ms'), table('Clicks', '8 ms'), bounds({ read: 11, click: 8 })],
    isWhole: false,
  });
  const blocks = blocksOf(merged);

  test('stand in place of those with their titles, new ones behind, the bounds last', () => {
    expect(Object.keys(blocks)).toEqual(['Start', 'Reads', 'Clicks', 'Bounds']);
    expect(blocks.Start).toBe(blocksOf(EARLIER).Start);
    expect(blocks.Reads).toContain('7 ms');
    expect(merged).not.toContain('A note.');
  });

  test('say when they were taken, if not with the rest', () => {
    expect(merged).toMatch(/^Taken 2026-01-01 /);
    expect(blocks.Start).not.toContain('Taken');
    expect(blocks.Clicks).toContain('Taken 2026-02-02 on a processor');
  });

  test('replace the bounds with their names', () => {
    expect(blocks.Bounds?.split('\n').map((row) => row.replaceAll(/ +/g, ' '))).toEqual([
      '| bound | limit | measured | |',
      expect.stringMatching(/^\| -+ \|/),
      '| start | at most 10 ms | 5.0 ms | kept |',
      '| read | at most 10 ms | 11 ms | missed |',
      '| click | at most 10 ms | 8.0 ms | kept |',
    ]);
  });

  test('change nothing when they are put there again', () => {
    const again = { machine: machine('2026-02-02'), tables: [table('Reads', '7 ms')], isWhole: false };
    const once = mergeResults(EARLIER, again);
    expect(mergeResults(once, again)).toBe(once);
  });
});

test('the tables of a whole run stand in place of all', () => {
  const tables = [table('Clicks', '8 ms')];
  const merged = mergeResults(EARLIER, { machine: machine('2026-02-02'), tables, isWhole: true });
  expect(merged).toMatch(/^Taken 2026-02-02 /);
  expect(Object.keys(blocksOf(merged))).toEqual(['Clicks']);
});
