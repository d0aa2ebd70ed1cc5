import { expect, test } from 'vitest';
import { openPageLab } from '../../../support/page-lab/lab.ts';

const lab = await openPageLab();

/**
 * Text hidden by a cross-origin sheet. Its rules cannot be read, so the walker asks elements: one of each kind, or
 * every one.
 */
const RULES = {
  'display:none': 'by display',
  'visibility:hidden': 'by visibility',
  'opacity:0': 'by opacity',
  'opacity:.01': 'by an opacity that leaves almost nothing',
  'color:#fff': 'by colour',
  'font-size:1px': 'by size',
  'position:absolute;left:-9999px': 'by place',
  'clip-path:inset(50%)': 'by shape',
  'height:0;overflow:hidden': 'by overflow',
  'text-indent:-9999px': 'by indent',
};
const OF_ALIKE = ['display:none', 'visibility:hidden', 'opacity:0', 'font-size:0', 'margin-left:-9999px'];

test('a sheet that cannot be read hides as any other', async () => {
  const rules = Object.keys(RULES).map((style, at) => `.c${at}{${style}}`);
  const alike = OF_ALIKE.map((style, at) => `.l${at} li:nth-child(3){${style}}`);
  await lab.page.route('http://other.test/site.css', (route) =>
    route.fulfill({
      contentType: 'text/css',
      body: [...rules, ...alike, 'h1{text-indent:-9999px}', '.up{text-transform:uppercase}'].join('\n'),
    }),
  );
  const hidden = Object.values(RULES).map((name, at) => `<p class="c${at}">${name}</p>`);
  const lists = OF_ALIKE.map((style, at) => `<ul class="l${at}"><li>one<li>two<li>by ${style}<li>four</ul>`);
  const html = `<link rel="stylesheet" href="http://other.test/site.css">${hidden.join('')}${lists.join('')}<div><h>a</h><h1>by its name</h1><p class="up">shown</p>`;
  const { text } = await lab.call('read', html, { format: 'text' });
  const isReadable = await lab.page.evaluate(() => {
    try {
      return document.styleSheets[0]?.cssRules.length;
    } catch {
      return 'unreadable';
    }
  });
  expect(isReadable).toBe('unreadable');
  expect(text.match(/by .*/g) ?? []).toEqual([]);
  expect(text.match(/one|two|four/g)).toHaveLength(3 * OF_ALIKE.length);
  expect(text).toContain('SHOWN');
});
