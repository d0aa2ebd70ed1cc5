import { beforeAll, describe, expect, it, vi } from 'vitest';
import { serveComponents } from '../../support/dev-server.ts';
import { launched } from '../../support/launched.ts';
import { PATIENCE } from '../../support/patience.ts';

/** `inspect` on pages of real frameworks, served by a development server. */
const { server, ok } = await launched();

/** The ref of an element, once its page has drawn it. */
const refOf = (query: string): Promise<string> =>
  vi.waitFor(async () => {
    const { text } = await ok('find', { query });
    return /\b(?:f\d+)*e\d+\b/.exec(text)?.[0] ?? expect.fail(text);
  }, PATIENCE);

describe('on a page of React', () => {
  let ref: string;
  beforeAll(async () => {
    const include = ['react', 'react-dom/client', 'react/jsx-dev-runtime'];
    await ok('navigate', { url: await serveComponents('react', { include }) });
    ref = await refOf('Grind');
  });

  it('names the components, and where each writes the next', async () => {
    const answer = await ok('inspect', { ref });
    expect(answer.json()).toMatchObject({
      components: [
        { framework: 'react', name: 'Button', writes_at: 'Button.tsx:16:5' },
        { framework: 'react', name: 'App', writes_at: 'App.jsx:14:9' },
      ],
    });
    expect(answer.notes).toContain('Untrusted page text');
  });

  it('answers the rules that give an element its look, and what they override', async () => {
    const { rules, computed } = (
      await ok('inspect', { ref, styles: true, computed: ['color', 'padding-top'] })
    ).json<{ rules: Record<string, unknown>[]; computed: unknown }>();
    const file = /fixtures\/components\/react\/app\.css:/;
    expect(rules).toMatchObject([
      { selector: 'style', declares: ['padding-top: 3px'] },
      {
        ...{ selector: '.primary', at: expect.stringMatching(new RegExp(`${file.source}7$`)) },
        when: '@media (min-width: 1px)',
        declares: ['color: green', 'background: white !important'],
      },
      { selector: '.mill', declares: ['padding: 1px'], overridden: ['color: red'] },
      { selector: 'button', declares: [], overridden: ['background: black'] },
      { selector: 'body', inherited_from: 'ancestor 4', overridden: ['color: rgb(10, 20, 30)'] },
    ]);
    expect(computed).toEqual({ color: 'rgb(0, 128, 0)', 'padding-top': '3px' });
  });

  it('says by which lines of the source a request was sent, and an error was thrown', async () => {
    await ok('network', { action: 'start' });
    await ok('interact', { steps: [`click ${ref}`] });
    const requests = await vi.waitFor(async () => {
      const found = (await ok('network', { filter: { url: '/flour.json' } })).json<{ _id: string }[]>();
      expect(found).toHaveLength(1);
      return found;
    }, PATIENCE);
    const sent = await ok('inspect', { request: requests[0]?._id });
    expect(sent.json<{ stack: string[] }>().stack.slice(0, 2)).toEqual([
      'fetchFlour (Button.tsx:10:26)',
      'onClick (Button.tsx:16:84)',
    ]);
    const items = await vi.waitFor(async () => {
      const found = (await ok('console', { text: 'no flour', sources: true })).json<{ text: string }[]>();
      expect(found).toHaveLength(1);
      return found;
    }, PATIENCE);
    expect(items[0]).toMatchObject({
      location: 'Button.tsx:11:27',
      stack: ['fetchFlour (Button.tsx:11:27)'],
    });
  });
});

it('names the elements of Lit, and where each is defined', async () => {
  await ok('navigate', { url: await serveComponents('lit', { include: ['lit'] }) });
  const answer = await ok('inspect', { ref: await refOf('Grind') });
  expect(answer.json()).toMatchObject({
    components: [
      { framework: 'lit', name: 'MillButton', defined_at: 'main.ts:7:1' },
      { framework: 'lit', name: 'MillYard', defined_at: 'main.ts:18:3' },
    ],
  });
});

it('refuses a call without an element, or with a request and what only elements have', async () => {
  for (const args of [{}, { ref: 'e1', request: 'r1' }, { request: 'r1', styles: true }])
    expect((await server.call('inspect', args)).code()).toBe('invalid_argument');
});
