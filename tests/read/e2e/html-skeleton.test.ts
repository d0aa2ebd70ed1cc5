import { itDeep } from '../../support/depth.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CallAnswer } from '../../support/call-tool.ts';
import { launched } from '../../support/launched.ts';

const { site, server, ok } = await launched();

const open = (path: string): Promise<CallAnswer> => ok('navigate', { url: `${site.url}/skeleton/${path}` });
const draw = (args: Record<string, unknown> = {}): Promise<CallAnswer> => ok('html_skeleton', args);

describe('a page with a table and a form', () => {
  let text: string;
  beforeAll(async () => {
    await open('');
    text = (await draw()).text;
  });

  it('is drawn to the letter', async () =>
    await expect(text).toMatchFileSnapshot('../../../fixtures/golden/html-skeleton.html'));

  it('says nothing that was entered, hidden, scripted or styled', () => {
    for (const never of ['never-shown', 'never-seen', 'copied', 'entered-by-page', 'hunter2', '4711'])
      expect(text).not.toContain(never);
    expect(text).not.toMatch(/<script|<style|<path|onclick|style=|jsaction|data-ga|javascript:|a comment of/);
  });

  it('makes a selector that works of each line', async () => {
    for (const selector of [
      '#mills tr.row.even',
      'form#login > input[name=pass]',
      'nav#menu > a[href="/one"]',
    ]) {
      const part = await draw({ selector });
      expect(part.text).not.toBe('');
    }
    expect((await draw({ selector: '#mills tbody' })).text).toContain('more like');
  });

  it.each([
    ['selector_not_found', { selector: '#nobody' }],
    ['selector_invalid', { selector: 'a[' }],
    ['invalid_argument', { max_depth: 0 }],
  ])('%s for %j', async (code, args) => expect((await server.call('html_skeleton', args)).code()).toBe(code));
});

describe('shadow roots and frames', () => {
  let answer: CallAnswer;
  beforeAll(async () => {
    await open('shadow.html');
    answer = await draw();
  });

  it('frames of this and of another origin are inside their elements', () => {
    const lines = answer.text.split('\n').map((line) => line.trim());
    const inside = (id: string): string => {
      const start = lines.findIndex((line) => line.startsWith(`<iframe id="${id}"`));
      return lines.slice(start, lines.indexOf('</iframe>', start)).join('');
    };
    expect(inside('same')).toContain('<button class="in-frame">Inside</button>');
    expect(inside('cross')).toContain('across');
  });
});

describe('what a person does not see', () => {
  let text: string;
  beforeAll(async () => {
    await open('hidden.html');
    // The frame's address contains the content that its site returns.
    text = (await draw({ text_length: 30 })).text.replace('frame%3Ftext=never-seen', 'frame');
  });

  it('has no text, and keeps its tags', () => {
    expect(text).not.toContain('never-seen');
    for (let seen = 1; seen <= 8; seen += 1) expect(text).toContain(`Seen ${seen}`);
    for (const id of ['unseen', 'drawing', 'same', 'cross'])
      expect(text).toMatch(new RegExp(`<\\w+ [^>]*id="${id}"[^>]*><!-- hidden -->`));
    expect(text).toContain('<p id="inside"></p>');
  });
});

itDeep('a page of 50,000 elements is bounded, and says that it was cut', async () => {
  await open('huge.html');
  const answer = await draw();
  expect(answer.text.length).toBeLessThan(300_000);
  expect(answer.text).toContain('<!-- 19999 more like this, the last #row-19999 -->');
  expect(answer.text).toMatch(/<!-- \d+ more, not shown -->/);
  expect(answer.notes).toContain('too_large: ');
});
