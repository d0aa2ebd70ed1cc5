import { describe, expect, test } from 'vitest';
import { openPageLab } from '../../support/page-lab/lab.ts';
import type { PageFunctions } from '../../support/page-lab/page-bundle.ts';
import { testPages } from '../../support/page-cases.ts';

const lab = await openPageLab();

testPages('skeleton', 'read/skeleton', async (page) => {
  const asked = { selector: 'body', ...JSON.parse(page.textIfThere('.options.json') ?? '{}') };
  const { text } = await lab.call('skeleton', `<body><wbr>${page.html}<i></i>`, asked);
  const [, body, ...lines] = text.split('\n');
  expect([body, ...lines.slice(-2)]).toEqual(['<body>', ' <i></i>', '</body>']);
  expect(lines.slice(0, -2).map((line) => line.slice(1))).toEqual(page.text('.expected.html').split('\n'));
});

interface Box {
  readonly target: Parameters<PageFunctions['box']>[1];
  readonly area?: object;
  readonly error?: string;
}

testPages('box', 'read/box', async (page) => {
  const wanted = page.json<Box>();
  const { box, error, scrolled, left, isClipped, matches } = await lab.call(
    'box',
    `<body style="margin:0">${page.html}`,
    wanted.target,
  );
  expect(left).toEqual([]);
  expect(error).toBe(wanted.error ?? '');
  if (wanted.area === undefined) return;
  const area = box === null ? [] : [box.x, box.y, box.width, box.height];
  const defaults = { cut: false, scrolled: [], matches: 1 };
  expect({ box: area, cut: isClipped, scrolled, matches }).toEqual({ ...defaults, ...wanted.area });
});

testPages('states', 'read/states', async (page) => {
  expect((await lab.call('states', page.html)).join(' | ').trim()).toBe(page.text('.txt'));
});

testPages('survey', 'read/survey', async (page) => {
  expect(await lab.call('survey', page.html)).toMatchObject(page.json<object>());
});

testPages('next page', 'read/next-page', async (page) => {
  expect(await lab.call('next', page.html)).toBe(page.text('.txt'));
});

testPages('selected elements', 'read/selected', async (page) => {
  const { selector, selected } = page.json<Record<'selector' | 'selected', string>>();
  expect(await lab.call('select', page.html, selector)).toBe(selected);
});

describe('scrolling', () => {
  const rows = '<p style="height:1000px">a</p>';
  const box = (inner: string, size = 'height:100px;width:400px'): string =>
    `<div style="${size};overflow:auto">${inner}</div>`;
  const shadow = (inner: string): string => `<div><template shadowrootmode="open">${inner}</template></div>`;

  test.each([
    ['the page by a part of its window', rows, ['step'], [1, false]],
    ['then the parts that scroll', box(rows), ['step', 'skip', 'step'], [1, false]],
    ['each part once', box(rows), ['skip', 'skip'], [0, true]],
    ['a part inside another one', box(box(rows) + rows), ['skip', 'skip', 'step'], [1, false]],
    ['no part that only scrolls sideways', box('<p style="width:9000px">a</p>'), ['skip'], [0, true]],
    ['no small part', box(rows, 'height:50px;width:50px'), ['skip'], [0, true]],
    ['no text field', `<textarea rows="9" cols="80">${'a\n'.repeat(12)}</textarea>`, ['skip'], [0, true]],
    ['a part of a shadow tree', shadow(box(rows)), ['skip'], [0, false]],
    ['a frame', `<iframe srcdoc="${rows.replaceAll('"', "'")}" width="400"></iframe>`, ['skip'], [0, false]],
  ] as const)('%s', async (_title, html, moves, expected) => {
    const { offsets, isOver } = await lab.call('scroll', html, moves);
    expect([offsets.length, isOver]).toEqual(expected);
  });

  test('leaves a part of each window in view', async () =>
    expect((await lab.call('scroll', box(rows), ['skip', 'step'])).offsets).toEqual([85]));
});
