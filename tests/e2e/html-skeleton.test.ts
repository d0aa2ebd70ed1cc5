import { beforeAll, describe, expect, it } from 'vitest';
import { itDeep } from '../support/depth.ts';
import type { CallAnswer } from '../support/call-tool.ts';
import { launched } from '../support/launched.ts';

const { site, server } = await launched();

async function open(path: string): Promise<void> {
  const opened = await server.call('navigate', { url: `${site.url}/skeleton/${path}` });
  expect(opened.isError, opened.text).toBe(false);
}

async function draw(args: Record<string, unknown> = {}): Promise<CallAnswer> {
  const answer = await server.call('html_skeleton', args);
  expect(answer.isError, answer.text).toBe(false);
  return answer;
}

it('the built server has its documentation next to it', async () => {
  const found = await server.call('docs_search', { query: 'html skeleton' });
  expect(found.isError, found.text).toBe(false);
  const page = await server.call('docs_fetch', { page: 'docs/install.md' });
  expect(page.text).toMatch(/^# Installing/);
});

describe('a page with a table and a form', () => {
  let text: string;
  beforeAll(async () => {
    await open('');
    text = (await draw()).text;
  });

  it('is drawn to the letter', async () => {
    await expect(text).toMatchFileSnapshot('../../fixtures/golden/html-skeleton.html');
  });

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

  it('takes a part, a depth and a length', async () => {
    const part = (await draw({ selector: 'main', max_depth: 2, text_length: 8 })).text;
    expect(part).toMatch(/^<main role="main" data-testid="list">\n/);
    expect(part).toMatch(/<table id="mills">\n +<!-- \d+ elements deeper -->\n/);
    expect(part).toContain('A text …');
    expect((await draw({ selector: 'h1', text_length: 0 })).text).toBe('<h1>\n <em></em>\n</h1>\n');
  });

  it('is untrusted, and goes into a handle when that is asked', async () => {
    expect((await draw()).notes).toContain('Untrusted page text');
    const stored = (await draw({ output_mode: 'handle' })).json<Record<string, unknown>>();
    expect(stored).toMatchObject({ mime_type: 'text/html', size_bytes: Buffer.byteLength(text) });
  });

  it.each([
    ['selector_not_found', { selector: '#nobody' }],
    ['selector_invalid', { selector: 'a[' }],
    ['invalid_argument', { max_depth: 0 }],
    ['invalid_argument', { text_length: -1 }],
    ['tab_not_found', { tab: 'b1:999999' }],
  ])('%s for %j', async (code, args) => {
    expect((await server.call('html_skeleton', args)).code()).toBe(code);
  });
});

describe('shadow roots and frames', () => {
  let answer: CallAnswer;
  beforeAll(async () => {
    await open('shadow.html');
    answer = await draw();
  });

  it.each(['open', 'closed'])('an %s root is written as its template', (mode) => {
    const host = answer.text.slice(answer.text.indexOf(`<mill-card id="${mode}">`));
    expect(
      host
        .split('\n')
        .slice(0, 10)
        .map((line) => line.trim()),
    ).toEqual([
      `<mill-card id="${mode}">`,
      `<template shadowrootmode="${mode}">`,
      '<b class="label">',
      '<slot name="name"></slot>',
      '</b>',
      '<button part="buy">Buy</button>',
      '</template>',
      expect.stringMatching(/^<span slot="name">De \w+<\/span>$/),
      '</mill-card>',
      expect.anything(),
    ]);
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

  it('says which frame could not be read', () => {
    expect(answer.notes).toContain('closed_frame: Frame http://127.0.0.1:9/');
  });

  it('finds a part inside a shadow root', async () => {
    expect((await draw({ selector: 'button[part=buy]' })).text).toBe(
      '<button part="buy">Buy</button>\n<button part="buy">Buy</button>\n',
    );
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

  it.each([
    ['#inside', '<p id="inside"><!-- hidden --></p>\n'],
    ['#listed', '<option id="listed"><!-- hidden --></option>\n'],
    ['#unseen > b', '<b>Seen 5</b>\n'],
  ])('%s selected directly is as hidden as in its page', async (selector, shown) => {
    expect((await draw({ selector })).text).toBe(shown);
  });

  it('no part of a secret that was cut or parted is there', async () => {
    const longer = (await draw({ text_length: 100 })).text;
    expect(longer).toMatch(/<p id="split">\s+«redacted:github-token»/);
    expect(longer).toContain('<p id="long">Your token: «redacted:github-token», which is secret</p>');
    expect(text).toContain('<p id="long">Your token: …</p>');
    expect(text).toContain('href="/reset/password/of/somebody? …"');
    expect(text).toContain('href="https://host.test/in"');
    for (const part of ['q7Wm3', '9aLb2', '8UeIo', 'pass-phrase']) expect(longer + text).not.toContain(part);
  });
});

describe('a page of 50,000 elements', () => {
  beforeAll(() => open('huge.html'));

  it('is bounded, and says that it was cut', async () => {
    const answer = await draw();
    expect(answer.text.length).toBeLessThan(300_000);
    expect(answer.text).toContain('<!-- 19999 more like this, the last #row-19999 -->');
    expect(answer.text).toMatch(/<!-- \d+ more, not shown -->/);
    expect(answer.notes).toContain('too_large: ');
  });

  itDeep('is short where everything is alike', async () => {
    const { text, notes } = await draw({ selector: '#rows' });
    expect(text.split('\n')).toHaveLength(7);
    expect(notes).not.toContain('too_large');
  });
});
