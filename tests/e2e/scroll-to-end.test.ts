import { describe, expect, it } from 'vitest';
import { itDeep, sample } from '../support/depth.ts';
import { numbers, rowsOf, scrollRig } from './scroll/rig.ts';

const { server, openTab, scrollThrough, expectPlace } = await scrollRig();

// Most of the time is the browser's: several pages are scrolled at once.
describe.concurrent('read_page { scroll: "to_end" } of a hidden tab', () => {
  it('loads what waits to come into view', async () => {
    const { text, notes } = await scrollThrough('lazy-smooth');
    expect(rowsOf(text, 'Part')).toEqual(numbers(0, 5));
    expect(notes).not.toContain('scroll_stopped');
  });

  it.each(sample(['text', 'nodes'], 2))('puts a virtual list together: %s', async (format) => {
    const { text, notes } = await scrollThrough('virtual', { format });
    if (format === 'nodes') {
      // Rows that the page shows again keep their references, and no others.
      const items = text.split('\n').filter((line) => line.includes('"text":"Row'));
      expect(items.at(0)).toContain('"ref":');
      expect(items.at(-1)).not.toContain('"ref":');
    }
    // Items name the whole list, too.
    expect(rowsOf(text, format === 'nodes' ? '"text":"Row' : 'Row')).toEqual(numbers(1, 60));
    expect(text.indexOf('Before the list')).toBeLessThan(text.indexOf('Row 1'));
    expect(text.indexOf('After the list')).toBeGreaterThan(text.indexOf('Row 60'));
    expect(notes).toContain('the page keeps only the rows in view');
  });

  itDeep.each([
    ['virtual-padding', 60],
    ['virtual-window-table', 60],
    ['virtual-variable', 60],
    ['virtual-counted', 60],
    ['virtual-shadow', 60],
    ['in-frame', 60],
    ['late-loading', 60],
    ['window-1000', 1_000],
  ])('gives each row of %s once and in order', async (name, rows) => {
    const { text, notes } = await scrollThrough(name, { format: 'markdown' });
    expect(rowsOf(text, 'Row')).toEqual(numbers(1, rows));
    expect(notes).not.toMatch(/virtual_list|scroll_stopped/);
  });

  it('says how many rows of a counted list it has not seen', async () => {
    const { notes } = await scrollThrough('virtual-counted', { max_scrolls: 4 });
    expect(notes).toMatch(/virtual_list: \d\d of 60 rows were seen\./);
  });

  it('gives up a page that scrolls itself back', async () => {
    const { text, notes } = await scrollThrough('back');
    expect(text).toContain('Stubborn');
    expect(notes).toContain('scroll_stopped: a part of the page scrolls itself back');
  });

  it('lets two calls on one tab take turns, and puts the page and its list back where they were', async ({
    expect,
  }) => {
    const tab = await openTab('placed');
    await expectPlace(tab, expect);
    const read = () => server.call('read_page', { tab, format: 'text', scroll: 'to_end' });
    for (const { text } of await Promise.all([read(), read()]))
      expect(rowsOf(text, 'Row')).toEqual(numbers(1, 40));
    await expectPlace(tab, expect);
  });
});
