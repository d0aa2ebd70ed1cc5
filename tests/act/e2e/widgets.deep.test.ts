import { afterAll, beforeAll, expect, it } from 'vitest';
import { PATIENCE } from '../../support/patience.ts';
import { serveFixtures, type FixtureServer } from '../../../fixtures/serve.ts';
import { launched } from '../../support/launched.ts';
import { installPackages } from '../../support/install-packages.ts';
import { existsSync, mkdirSync, readdirSync, writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { fingerprint, readStamp } from '../../../scripts/lib/fingerprint.mjs';
import { CACHE, ROOT } from '../../../scripts/lib/run.mjs';
import { isDeepStrictEqual } from 'node:util';
import type { CallAnswer } from '../../support/call-tool.ts';

type WidgetCall = { readonly fields?: Record<string, unknown>; readonly steps?: readonly unknown[] };

/** One agent's call on a library's page, and the change that the page's own code has to notice. */
interface WidgetTask {
  readonly widget: string;
  /** Steps that prepare the page; their answer is not judged. */
  readonly before?: WidgetCall;
  readonly call: WidgetCall;
  /** Names that are not here are not compared. */
  readonly state?: Readonly<Record<string, unknown>>;
  /** The page cannot do it, and the call has to report that. */
  readonly isRefused?: boolean;
  readonly says?: string;
}

interface Verdict {
  readonly task: WidgetTask;
  readonly isSolved: boolean;
  readonly isHonest: boolean;
  readonly text: string;
  readonly state: unknown;
}

const tasksOf = (library: string): readonly WidgetTask[] =>
  JSON.parse(readFileSync(join(ROOT, `fixtures/widgets/tasks/${library}.json`), 'utf8')) as WidgetTask[];

function judge(
  task: WidgetTask,
  { isError, text }: Pick<CallAnswer, 'isError' | 'text'>,
  state: Readonly<Record<string, unknown>>,
): Verdict {
  const wanted = Object.entries(task.state ?? {});
  const isThere = wanted.every(([name, value]) => isDeepStrictEqual(state[name], value));
  const isShown = task.says === undefined || text.includes(task.says);
  // A receipt may report a different value than requested: that counts as neither done nor refused.
  const isOpen = isError
    ? text.includes('is unknown')
    : /typed, not chosen|: shows "|also shows "|does not show "|no visible movement|nothing visible/.test(
        text,
      );
  const isRight = task.isRefused === true ? isError || isOpen : !isError;
  const claimsDone = !isError && !isOpen;
  const isHonest =
    isOpen ||
    (claimsDone
      ? isThere && isShown && isRight
      : !isThere || task.isRefused === true || task.says !== undefined);
  return { task, isSolved: isThere && isRight && isShown, isHonest, text, state };
}

/** Component libraries have a package of their own: only the deep run installs them. */
const FOLDER = 'fixtures/widgets';
const SHARED = ['package-lock.json', 'report.js', 'shown.jsx'].map((name) => `${FOLDER}/${name}`);
const WIDGET_PAGES = join(CACHE, 'widgets');
const LIBRARIES = readdirSync(join(ROOT, FOLDER, 'pages')).map((file) => file.replace(/\.jsx$/, ''));

async function buildPage(library: string): Promise<void> {
  const entry = `${FOLDER}/pages/${library}.jsx`;
  const outDir = join(WIDGET_PAGES, library);
  const stamp = join(outDir, '.stamp');
  const wanted = fingerprint(ROOT, [entry, ...SHARED]);
  if (readStamp(stamp) === wanted) return;
  console.log(`Building ${entry}`);
  await build({
    configFile: false,
    root: join(ROOT, FOLDER),
    logLevel: 'error',
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
    build: {
      outDir,
      emptyOutDir: true,
      cssCodeSplit: false,
      minify: false,
      target: 'chrome125',
      rolldownOptions: {
        input: join(ROOT, entry),
        output: {
          format: 'es',
          codeSplitting: false,
          entryFileNames: 'page.js',
          assetFileNames: 'page[extname]',
        },
      },
    },
  });
  const style = existsSync(join(outDir, 'page.css')) ? '<link rel="stylesheet" href="page.css">' : '';
  writeFileSync(
    join(outDir, 'index.html'),
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${library}</title>${style}<body><div id="root"></div><script type="module" src="page.js"></script>`,
  );
  writeFileSync(stamp, wanted);
}

/* Widgets of real component libraries: compares a call's claims with what the page's own code noticed. */

/** Their pages were written after the others passed, to test the classes rather than the examples. */
const HELD_OUT: ReadonlySet<string> = new Set(
  'ace arco ark jquery-ui lexical mantine material-web naive primereact quasar select2 slate slim-select'.split(
    ' ',
  ),
);

const { browser, server } = await launched();
let site: FixtureServer;
let tab: string;
const all = new Map<string, readonly Verdict[]>();

beforeAll(async () => {
  await installPackages(FOLDER);
  mkdirSync(WIDGET_PAGES, { recursive: true });
  site = await serveFixtures({ root: WIDGET_PAGES });
  const opened = await server.call('tabs', { action: 'open', url: 'about:blank', activate: true });
  tab = opened.json<{ opened: string }>().opened;
}, 900_000);
afterAll(async () => {
  await site.close();
  console.log(table(all));
});

async function run(library: string, task: WidgetTask): Promise<Verdict> {
  const url = `${site.url}/${library}/`;
  await server.call('navigate', { tab, url });
  if (task.before !== undefined) await server.call('interact', { tab, ...task.before });
  const answer = await server.call('interact', { tab, ...task.call });
  const find = () => browser.scope.inPage<Record<string, unknown>>(url, 'window.state');
  await expect.poll(find, PATIENCE).toBeDefined();
  return judge(task, answer, (await find()) ?? {});
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
