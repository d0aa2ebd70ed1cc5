import { describe, expect, test } from 'vitest';
import { openPageLab } from '../../../support/page-lab/lab.ts';
import { BOX_CASES } from './box-cases.ts';
import { SKELETON_CASES } from './skeleton-cases.ts';
import { STATE_CASES } from './state-cases.ts';
import { NEXT_CASES, SELECT_CASES, SURVEY_CASES } from './survey-cases.ts';

/** Skeletons, boxes, states and surveys of small pages. */
const lab = await openPageLab();

for (const [area, cases] of Object.entries(SKELETON_CASES))
  describe(`skeleton: ${area}`, () => {
    test.each(Object.entries(cases))('%s', async (_title, [html, expected, options]) => {
      const { text } = await lab.call('skeleton', `<body><wbr>${html}<i></i>`, {
        selector: 'body',
        ...options,
      });
      const [, body, ...lines] = text.split('\n');
      expect([body, ...lines.slice(-2)]).toEqual(['<body>', ' <i></i>', '</body>']);
      expect(lines.slice(0, -2).map((line) => line.slice(1))).toEqual(expected);
    });
  });

describe('box', () => {
  test.each(Object.entries(BOX_CASES))('%s', async (_title, [html, expected, target]) => {
    const { box, error, scrolled, left, isClipped, matches } = await lab.call(
      'box',
      html,
      target ?? { selector: '#t' },
    );
    expect(left).toEqual([]);
    if (typeof expected === 'string') return expect(error).toBe(expected);
    expect(error).toBe('');
    const area = box === null ? [] : [box.x, box.y, box.width, box.height];
    const defaults = { cut: false, scrolled: [], matches: 1 };
    expect({ box: area, cut: isClipped, scrolled, matches }).toEqual({ ...defaults, ...expected });
  });
});

describe('states', () => {
  test.each(Object.entries(STATE_CASES))('%s', async (_title, [html, expected]) => {
    expect(await lab.call('states', html)).toEqual(expected);
  });
});

describe('survey', () => {
  test.each(Object.entries(SURVEY_CASES))('%s', async (_title, [html, expected]) => {
    expect(await lab.call('survey', html)).toMatchObject(expected);
  });
});

describe('next page', () => {
  test.each(Object.entries(NEXT_CASES))('%s', async (_title, [html, expected]) => {
    expect(await lab.call('next', html)).toBe(expected);
  });
});

describe('selected elements', () => {
  test.each(Object.entries(SELECT_CASES))('%s', async (_title, [html, selector, expected]) => {
    expect(await lab.call('select', html, selector)).toBe(expected);
  });
});

describe('scrolling', () => {
  const rows = '<p style="height:1000px">a</p>';
  const box = (inner: string, size = 'height:100px;width:400px'): string =>
    `<div style="${size};overflow:auto">${inner}</div>`;

  test.each([
    ['the page by a part of its window', rows, ['step'], [1, false]],
    ['then the parts that scroll', box(rows), ['step', 'skip', 'step'], [1, false]],
    ['each part once', box(rows), ['skip', 'skip'], [0, true]],
    ['a part inside another one', box(box(rows) + rows), ['skip', 'skip', 'step'], [1, false]],
    ['no part that only scrolls sideways', box('<p style="width:9000px">a</p>'), ['skip'], [0, true]],
    ['no small part', box(rows, 'height:50px;width:50px'), ['skip'], [0, true]],
    [
      'no text field',
      '<textarea rows="9" cols="80">a\n\n\n\n\n\n\n\n\n\n\n\nb</textarea>',
      ['skip'],
      [0, true],
    ],
    [
      'a part of a shadow tree',
      `<div><template shadowrootmode="open">${box(rows)}</template></div>`,
      ['skip'],
      [0, false],
    ],
    ['a frame', `<iframe srcdoc="${rows.replaceAll('"', "'")}" width="400"></iframe>`, ['skip'], [0, false]],
  ] as const)('%s', async (_title, html, moves, expected) => {
    const { offsets, isOver } = await lab.call('scroll', html, moves);
    expect([offsets.length, isOver]).toEqual(expected);
  });

  test('leaves a part of each window in view', async () => {
    expect((await lab.call('scroll', box(rows), ['skip', 'step'])).offsets).toEqual([85]);
  });
});
