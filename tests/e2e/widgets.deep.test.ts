import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveFixtures, type FixtureServer } from '../../fixtures/serve.ts';
import { lendContext, type LentContext } from '../support/lent-browser.ts';
import { startServer, type StdioServer } from '../support/stdio-server.ts';
import { buildPage, installLibraries, LIBRARIES, WIDGET_PAGES } from '../support/widgets/build-pages.ts';
import { judge, tasksOf, type Verdict, type WidgetTask } from '../support/widgets/run-task.ts';

/* Widgets of real component libraries: what a call claims is compared with what the page's own code learned. */

/** Their pages were made once the others were solved, to see whether the classes are right and not the examples. */
const HELD_OUT: ReadonlySet<string> = new Set(
  'ace arco ark jquery-ui lexical mantine material-web naive primereact quasar select2 slate slim-select'.split(
    ' ',
  ),
);

let site: FixtureServer;
let browser: LentContext;
let server: StdioServer;
let tab: string;
const all = new Map<string, readonly Verdict[]>();

beforeAll(async () => {
  await installLibraries();
  site = await serveFixtures({ root: WIDGET_PAGES });
  browser = await lendContext();
  server = await startServer({ env: browser.serverEnv });
  const opened = await server.call('tabs', { action: 'open', url: 'about:blank', activate: true });
  tab = opened.json<{ opened: string }>().opened;
}, 900_000);
afterAll(async () => {
  await server.close();
  await browser.close();
  await site.close();
  console.log(table(all));
});

async function run(library: string, task: WidgetTask): Promise<Verdict> {
  const url = `${site.url}/${library}/`;
  await server.call('navigate', { tab, url });
  if (task.before !== undefined) await server.call('interact', { tab, ...task.before });
  const answer = await server.call('interact', { tab, ...task.call });
  const page = browser.context.pages().find((each) => each.url() === url);
  const state = (await page?.evaluate('window.state')) as Record<string, unknown> | undefined;
  return judge(task, answer, state ?? {});
}

it.each(LIBRARIES)(
  'a widget takes what a call says that it has taken %s',
  { timeout: 600_000 },
  async (library) => {
    await buildPage(library);
    const judged: Verdict[] = [];
    for (const task of tasksOf(library)) judged.push(await run(library, task));
    all.set(library, judged);
    const missed = judged.filter(({ isSolved, isHonest }) => !isSolved || !isHonest);
    if (missed.length > 0) console.log(missed.map((each) => described(library, each)).join('\n'));
    expect(judged.filter(({ isHonest }) => !isHonest).map((each) => described(library, each))).toEqual([]);
  },
);

it('a widget takes what a call says that it has taken solves nineteen of twenty at the first try', () => {
  const judged = [...all.values()].flat();
  expect(judged.filter(({ isSolved }) => isSolved).length / judged.length).toBeGreaterThanOrEqual(0.95);
});

const described = (library: string, { task, isSolved, isHonest, text, state }: Verdict): string =>
  `${library} · ${task.widget} · ${JSON.stringify(task.call)}: ${isSolved ? 'solved' : 'missed'}, ${isHonest ? 'true' : 'UNTRUE'}\n  ${JSON.stringify(state)}\n  ${text.replaceAll('\n', '\n  ')}`;

function table(results: ReadonlyMap<string, readonly Verdict[]>): string {
  const line = (name: string, judged: readonly Verdict[]): string => {
    const count = (key: 'isSolved' | 'isHonest'): string =>
      String(judged.filter((each) => each[key]).length).padStart(8);
    return `${name.padEnd(16)}${String(judged.length).padStart(6)}${count('isSolved')}${count('isHonest')}`;
  };
  const part = (name: string, isHeldOut: boolean): string =>
    line(
      name,
      [...results].flatMap(([library, judged]) => (HELD_OUT.has(library) === isHeldOut ? judged : [])),
    );
  return [
    `${'library'.padEnd(16)} tasks  solved    true`,
    ...[...results].map(([name, judged]) => line(name, judged)),
    part('held out', true),
    part('others', false),
  ].join('\n');
}
