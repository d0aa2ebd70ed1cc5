import { beforeAll, expect, it, vi } from 'vitest';
import { IN_FIREFOX } from '../../support/engine.ts';
import { launched } from '../../support/launched.ts';
import { PATIENCE } from '../../support/patience.ts';
import { itDeep } from '../../support/depth.ts';

/** `console` in a hidden tab whose messages all came before the call; in Firefox, after an earlier call. */
const { site, server, ok } = await launched();

interface Item {
  readonly time: string;
  readonly level: string;
  readonly source: string;
  readonly text: string;
  readonly location?: string;
  readonly stack?: readonly string[];
}

/** The browser requests an icon at any time. */
const isOfThePage = ({ location }: Item): boolean => location?.endsWith('favicon.ico') !== true;

const messages = async (args: Record<string, unknown> = {}): Promise<Item[]> =>
  (await ok('console', args)).json<Item[]>().filter(isOfThePage);

beforeAll(async () => {
  await ok('navigate', { url: `${site.url}/console/` });
  if (IN_FIREFOX) {
    const { notes } = await ok('console');
    expect(notes).toContain('Earlier messages are unknown');
    await ok('navigate', { action: 'reload' });
  }
  await vi.waitFor(async () => expect((await server.call('tabs')).text).toContain('worker ready'), PATIENCE);
});
it.each([
  ['debug', 'console', 'quiet'],
  ['info', 'console', 'plain 1 -0 10n true null undefined Symbol(s)'],
  ['info', 'console', 'mill has 4 sails and 3 stones at 1.5%, [1, "two"],  styled extra'],
  [
    'info',
    'console',
    'Mill {sails: 4} {name: "ring", self: {name: "ring", self: Object}} [undefined, "x"] function named() {} Map(1) body',
  ],
  ['warning', 'console', 'careful'],
  ['info', 'console', '    deep in the group'],
  ['info', 'console', '[{mill: "De Kat", sails: 4}, {mill: "De Zoeker", sails: 6}]'],
  ['info', 'console', 'Trace: way 7'],
  ['error', 'console', 'Assertion failed: numbers differ 12'],
  ['error', 'exception', 'Uncaught (in promise) RangeError: nobody caught this'],
  ['error', 'exception', 'Uncaught Error: sails stuck\nCaused by: {code: 7}'],
  ['info', 'console', 'frame of localhost'],
  ['warning', 'console', 'worker says {ready: true}'],
])('past messages %s of %s: %s', async (level, source, text) => {
  const found = (await messages()).filter((message) => message.text === text);
  expect(found).toEqual([expect.objectContaining({ level, source })]);
});

it('past messages of the browser: requests that failed and policies that forbade', async () => {
  const [network, security] = [await messages({ text: '404' }), await messages({ text: 'Content Security' })];
  const location = `${site.url}/console/missing.png`;
  expect(network[0]).toMatchObject({ level: 'error', source: 'network', location });
  expect(security[0]).toMatchObject({ level: 'error', source: 'security' });
});

it('past messages say where: file, line and column, and the way there', async () => {
  const [trace] = await messages({ text: 'Trace: way' });
  expect(trace?.location).toMatch(/\/console\/app\.js:\d+:\d+$/);
  expect(trace?.stack?.[0]).toMatch(/^traced \(.*\/console\/app\.js:\d+:\d+\)$/);
  const [failure] = await messages({ text: 'uncaught failure' });
  expect(failure?.location).toMatch(/\/console\/app\.js:\d+:\d+$/);
});

itDeep('past messages are bounded', async () => {
  const [long] = await messages({ text: 'lorem ipsum' });
  expect(long?.text).toMatch(/^.{0,10000}…$/s);
});
