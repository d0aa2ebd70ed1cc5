import { describe, expect, test } from 'vitest';
import { openPageLab } from '../../../support/page-lab/lab.ts';
import { testEach } from '../table.ts';
import { BOX_CASES } from './box-cases.ts';
import { NEXT_CASES, SELECT_CASES, SKELETON_CASES, STATE_CASES, SURVEY_CASES } from './cases.ts';

/** Skeletons, boxes, states and surveys of small pages. */
const lab = await openPageLab();

testEach('skeleton', SKELETON_CASES, async (html = '', expected = '', options = '{}') => {
  const asked = { selector: 'body', ...JSON.parse(options) };
  const { text } = await lab.call('skeleton', `<body><wbr>${html}<i></i>`, asked);
  const [, body, ...lines] = text.split('\n');
  expect([body, ...lines.slice(-2)]).toEqual(['<body>', ' <i></i>', '</body>']);
  expect(lines.slice(0, -2).map((line) => line.slice(1))).toEqual(expected.split('\n'));
});

testEach('box', BOX_CASES, async (html = '', expected = '', target = '{"selector":"#t"}') => {
  const { box, error, scrolled, left, isClipped, matches } = await lab.call(
    'box',
    `<body style="margin:0">${html}`,
    JSON.parse(target),
  );
  expect(left).toEqual([]);
  if (!expected.startsWith('{')) return expect(error).toBe(expected);
  expect(error).toBe('');
  const area = box === null ? [] : [box.x, box.y, box.width, box.height];
  const defaults = { cut: false, scrolled: [], matches: 1 };
  expect({ box: area, cut: isClipped, scrolled, matches }).toEqual({ ...defaults, ...JSON.parse(expected) });
});

testEach('states', STATE_CASES, async (html = '', expected = '') => {
  expect((await lab.call('states', html)).join(' | ').trim()).toBe(expected.trim());
});

testEach('survey', SURVEY_CASES, async (html = '', expected = '{}') => {
  expect(await lab.call('survey', html)).toMatchObject(JSON.parse(expected));
});

testEach('next page', NEXT_CASES, async (html = '', expected) => {
  expect(await lab.call('next', html)).toBe(expected);
});

testEach('selected elements', SELECT_CASES, async (html = '', selector = '', expected = '') => {
  expect(await lab.call('select', html, selector)).toBe(expected);
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

  test('leaves a part of each window in view', async () => {
    expect((await lab.call('scroll', box(rows), ['skip', 'step'])).offsets).toEqual([85]);
  });
});
