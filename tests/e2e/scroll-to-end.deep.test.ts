import { describe, expect, it } from 'vitest';
import { startServer } from '../support/stdio-server.ts';
import { numbers, rowsOf, scrollRig } from './scroll/rig.ts';

/* More kinds of lists, long ones, and a call whose time ends. `scroll-to-end.test.ts` has one of each way to scroll. */
const { browser, openTab, scrollThrough } = await scrollRig();

describe.concurrent('read_page { scroll: "to_end" } of a hidden tab', () => {
  it.each([
    ['lazy', 'Part', 0, 5],
    ['inner', 'Inner', 0, 59],
    ['virtual-padding', 'Row', 1, 60],
    ['virtual-buttons', 'Row', 1, 60],
    ['virtual-window', 'Row', 1, 60],
    ['virtual-window-padding', 'Row', 1, 60],
    ['virtual-table', 'Row', 1, 60],
    ['virtual-shadow', 'Row', 1, 60],
    ['in-frame', 'Row', 1, 60],
    ['late-blank', 'Row', 1, 60],
    ['late-at-last', 'Row', 1, 100],
    ['virtual-5000', 'Row', 1, 5_000],
    ['window-1000', 'Row', 1, 1_000],
  ] as const)('gives each row of %s once and in order', async (name, row, from, to) => {
    const { text, notes } = await scrollThrough(name, { format: 'markdown' });
    expect(text).not.toContain('Loading');
    expect(rowsOf(text, row)).toEqual(numbers(from, to));
    expect(notes).not.toMatch(/virtual_list|scroll_stopped/);
  });

  it.each(['markdown', 'snapshot', 'html'])('puts a virtual list together: %s', async (format) => {
    const { text, notes } = await scrollThrough('virtual', { format });
    expect(rowsOf(text, 'Row')).toEqual(numbers(1, 60));
    expect(notes).toContain('the page holds only the rows in view');
  });

  it('loads an endless list to its end', async () => {
    const { text } = await scrollThrough('endless');
    expect(text.match(/row 19$/gm)).toHaveLength(5);
    expect(text).toContain('End marker');
  });
});

it('keeps what it has read at the end of its time, and says so', async () => {
  const hasty = await startServer({ env: browser.serverEnv, args: ['--sync-wait-ms', '2000'] });
  const tab = await openTab('forever', hasty);
  const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  const extraction = { schema, multiple: true, scope: '.row', selectors: { name: ':scope' } };
  for (const [tool, args] of [
    ['read_page', { format: 'text' }],
    ['extract_data', extraction],
  ] as const) {
    const answer = await hasty.call(tool, { tab, scroll: 'to_end', ...args });
    const rows = rowsOf(answer.text, 'Inner');
    expect(rows.length).toBeGreaterThanOrEqual(20);
    expect(rows).toEqual(numbers(0, rows.length - 1));
    expect(answer.notes).toContain(
      'scroll_stopped: scrolling took longer than 2 s (--sync-wait-ms); there may be more below.',
    );
  }
  await hasty.close();
});
