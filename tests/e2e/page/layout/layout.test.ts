import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLab } from '../../../support/page-lab/lab.ts';
import type { PageFunctions } from '../../../support/page-lab/page-bundle.ts';
import { BOX_CASES } from './box-cases.ts';
import { SKELETON_CASES } from './skeleton-cases.ts';
import { STATE_CASES } from './state-cases.ts';
import { NEXT_CASES, SELECT_CASES, SURVEY_CASES } from './survey-cases.ts';

/** Skeletons, boxes, states and surveys of small pages. */
const lab = await openLab<PageFunctions>(
  resolve(import.meta.dirname, '../../../support/page-lab/page-bundle.ts'),
);

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

describe('scrolling for more', () => {
  const rows = '<p style="height:1000px">a</p>';

  test.each([
    ['the page', rows, 1, true],
    ['the part that scrolls', `<div style="height:100px;overflow:auto">${rows}</div>`, 1, true],
    ['a page that does not scroll', '<p>a</p>', 0, true],
  ])('%s', async (_title, html, count, isSame) => {
    const found = await lab.call('scroll', html);
    expect([found.offsets.length, found.isSame]).toEqual([count, isSame]);
  });

  test('a list that holds only what is in view is not jumped over', async () => {
    const html = `<div style="height:100px;overflow:auto"><div aria-rowcount="99">${rows}</div></div>`;
    expect((await lab.call('scroll', html)).offsets).toEqual([85]);
  });
});
