import { beforeAll, describe, expect, test } from 'vitest';
import type { Mode } from '../../../server/core/registry/definition.ts';
import { MODES } from '../../../server/core/modes/loader.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../shared/base/json.ts';
import { RUN_WORKERS } from '../../../server/core/runtimes.generated.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { MANIFESTS } from '../../../shared/core/tools/index.ts';
import { type FakeTab, pageFacts } from '../../support/fake-tabs.ts';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';
import { sample } from '../../support/depth.ts';
import { untilAborted } from '../../support/test-tool.ts';
import { type ToolCase, fails } from '../../support/tool-cases.ts';
import { mask, type Seen, executorWire, WIRES, type OpenWire } from './wires.ts';
import type { BrowserId } from '../../../server/core/services.ts';
import type { FoundRecord } from '../../../shared/libraries/values/request.ts';
import type { ConsoleMessage } from '../../../shared/inspect/console.methods.ts';
import type { FakeBridge } from '../../support/fake-bridge.ts';
import type { RunWorker } from '../../../server/core/runs.ts';
import { TOOL_CASES } from '../../support/cases.generated.ts';

/** Two pages, and then it ends, fails, or waits for its cancel, as its address says. */
const crawlWorker: RunWorker = {
  async run({ url }, scope) {
    await scope.commit({ items: [{ url: 'https://example.com/a' }, { url: 'https://example.com/b' }] });
    scope.progress({ done: 2, queued: 0, failed: 0 });
    if (String(url).endsWith('/fails')) throw new Error('a defect');
    if (String(url).endsWith('/waits')) await untilAborted(scope.signal);
    return { state: { pages: 2 }, coverage: ['robots.txt left one page out'] };
  },
};

const REFUSED = MANIFESTS.map(({ name }) => ({
  ...fails(name, 'invalid_argument', { no_such_field: true }),
  title: 'refuses an unknown field',
}));

/** Any adapter passes on the refusals of all tools alike. */
const REFUSED_HERE = sample(REFUSED, 10);

/** Tools in list order, so that a new one comes last and earlier journal contents stay. */
const FOLDERS = [...new Set(MANIFESTS.map(({ identifier }) => identifier))];

const CASES: readonly ToolCase[] = [
  ...FOLDERS.flatMap((folder) => TOOL_CASES[folder]?.adapterCases ?? []),
  ...REFUSED,
  { tool: 'raed_page', title: 'is unknown', args: {}, ends: 'unknown_tool' },
];

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const URL = 'https://example.com/';
const page = { ...pageFacts({ url: URL, title: 'Example' }), lang: 'en' };
const field = (value: JsonValue) => ({ value, strategy: 'tables', selector: 'td', confidence: 1 }) as const;
const record: FoundRecord = { strategy: 'tables', where: '#1', lang: 'en', fields: { name: field('Lamp') } };
const message: ConsoleMessage = {
  at_ms: 1_700_000_000_000,
  level: 'error',
  text: 'It broke.',
  source: 'console',
  url: URL,
  line: 1,
  column: 2,
  stack: [],
};

function answerEverything(bridge: FakeBridge): void {
  // The tab itself is read first, so that a closed or broken one fails in each of its streams.
  const insteadOf = async function* (
    browser: BrowserId,
    tabId: number,
    told: string,
  ): AsyncGenerator<string> {
    for await (const _chunk of bridge.tabs.find(browser, tabId).content());
    yield told;
  };
  bridge.answer({
    'page.console': async function* ({ tab_id }, { browser }) {
      yield* insteadOf(browser, tab_id, `${JSON.stringify(message)}\n`);
      return { url: URL, messages: 1, dropped: 0 };
    },
    'page.screenshot': async function* ({ tab_id, tiles }, { browser }) {
      const shown = { x: 0, y: 0, width: 1, height: 1 };
      const lines = [
        { url: URL, tiles: 1 },
        { ...shown, scale: 1, base64: PIXEL },
      ];
      const text = tiles === undefined ? PIXEL : lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      yield* insteadOf(browser, tab_id, text);
      return { url: URL, width: 1, height: 1, scale: 1, size_bytes: 68, shown, coverage: [] };
    },
    'page.skeleton': async function* ({ tab_id }, { browser }) {
      yield* insteadOf(browser, tab_id, '<html>\n  <body>\n');
      return { page, coverage: [], hidden_elements: 0 };
    },
    'page.extract': async function* ({ tab_id }, { browser }) {
      yield* insteadOf(browser, tab_id, `${JSON.stringify(record)}\n`);
      const tried = [{ strategy: 'tables', records: 1, coverage: 1 } as const];
      return { page, coverage: [], tried, hidden_records: 0, next: null };
    },
  });
}

// One table of calls, made in every mode through every adapter: the same input, the same content.

const TABS: Record<number, FakeTab> = {
  1: { url: URL, title: 'Example', content: () => ['# Example\n', 'Hello.\n'] },
  2: { url: `${URL}blank`, title: '', content: () => ['\n'] },
  3: {
    url: `${URL}broken`,
    title: '',
    content: () => {
      throw new SpillwayError('page_crashed', 'The page crashed.');
    },
  },
};

type Told = { readonly name: string; readonly wanted: ToolCase['ends']; readonly seen: Seen };

const nameOf = ({ tool, title }: ToolCase): string => `${tool} ${title}`;

/** Internal variants of a mode are called as their tools. */
const casesOf = (mode: (typeof MODES)[number]): readonly ToolCase[] => [
  ...CASES.filter((each) => !REFUSED.includes(each) || REFUSED_HERE.includes(each)),
  ...mode.own.flatMap(({ name, of }) =>
    CASES.filter(({ tool, ends }) => tool === of && ends !== 'invalid_argument').map((original) => ({
      ...original,
      tool: name,
    })),
  ),
];

async function tell(mode: (typeof MODES)[number], open: OpenWire): Promise<readonly Told[]> {
  const server = await startMemoryServer(
    { mode: mode.name },
    { workers: { ...RUN_WORKERS, crawl: async () => crawlWorker } },
  );
  try {
    server.bridge.addBrowser(TABS);
    answerEverything(server.bridge);
    return await tellCases(server, casesOf(mode), open);
  } finally {
    await server.close();
  }
}

async function tellCases(
  server: MemoryServer,
  cases: readonly ToolCase[],
  open: OpenWire,
): Promise<readonly Told[]> {
  const wire = await open(server);
  const past = await executorWire(server);
  const runs = await server.runs();
  const call = async (tool: string, args: object): Promise<string> => {
    const [first] = (await past.call(tool, { ...args })).content;
    return first?.type === 'text' ? first.text : '';
  };
  const endsByWire: Told[] = [];
  for (const one of cases) {
    const args = typeof one.args === 'function' ? await one.args({ runs, call }) : one.args;
    const seen = mask(await wire.call(one.tool, args), server.home);
    endsByWire.push({ name: nameOf(one), wanted: one.ends, seen });
  }
  await wire.close();
  return endsByWire;
}

const codeOf = ({ ok, content: [first] }: Seen): string => {
  if (ok) return 'ok';
  const { error } = JSON.parse(first?.type === 'text' ? first.text : '{}') as { error?: { code: string } };
  return error?.code ?? 'no code';
};

function isWritten({ rows }: Mode, name: string): boolean {
  const { text = null } = rows[name.split(' ')[0] ?? ''] ?? {};
  return text !== null;
}

/** JSON as an object, a list as `{ items }`; null for text and bytes. */
const joined = ({ content }: Pick<Seen, 'content'>) => ({
  type: 'text',
  text: content.map((block) => ('text' in block ? block.text : '')).join('\n'),
});

function objectOf({ content: [first] }: Seen): JsonObject | null {
  if (first?.type !== 'text' || !/^[[{]/.test(first.text)) return null;
  const value = JSON.parse(first.text) as JsonValue;
  return isObject(value) ? value : { items: value };
}

// The last mode has everything: variants, texts and objects. The adapters' own tests use the default mode.
describe.each(sample(MODES.toReversed(), MODES.length))('in the mode $name', (mode) => {
  let wanted: readonly Told[];
  let endsByWire: Readonly<Record<string, readonly Told[]>>;
  beforeAll(async () => {
    const wires = Object.entries(WIRES).map(async ([name, open]) => [name, await tell(mode, open)] as const);
    [wanted, endsByWire] = await Promise.all([
      tell(mode, executorWire),
      Promise.all(wires).then(Object.fromEntries),
    ]);
  }, 240_000);

  test('every case ends as the table says', () => {
    expect(wanted.map(({ name, seen }) => [name, codeOf(seen)])).toEqual(
      wanted.map(({ name, wanted: ends }) => [name, ends]),
    );
  });

  test.each(Object.keys(WIRES))('%s answers what the executor answers', (wire) => {
    expect(endsByWire[wire]).toHaveLength(wanted.length);
    for (const [at, { name, seen }] of (endsByWire[wire] ?? []).entries()) {
      const { structured, ...rest } = wanted[at]?.seen ?? { ok: false, content: [] };
      const { structured: object, ...others } = seen;
      // The AI SDK's failures are one text.
      const isOneText = !seen.ok && others.content.length < rest.content.length;
      expect({ name, ...others }).toEqual({ name, ...rest, ...(isOneText && { content: [joined(rest)] }) });
      // Adapters without a place for an object omit it. The library has that of JSON in each mode, even where it is a
      // text.
      const written = isWritten(mode, name) ? expect.any(Object) : null;
      if (wire === 'library' && seen.ok)
        expect(object, name).toEqual(objectOf(rest) ?? structured ?? written);
      else if (object !== undefined) expect(object, name).toEqual(structured);
    }
  });
});

/** They need a person's answer, which no adapter here has: their own tests cover them. */
const NEED_A_PERSON: ReadonlySet<string> = new Set(['request_human_input', 'resume_call']);

test('every tool has a case that ends well and one that fails', () => {
  const lacking = MANIFESTS.flatMap(({ name, identifier }) => {
    const ends = CASES.filter(({ tool }) => tool === name).map((each) => each.ends === 'ok');
    return [true, false]
      .filter((isOk) => !ends.includes(isOk) && !(isOk && NEED_A_PERSON.has(name)))
      .map((isOk) => `add a case of ${name} that ${isOk ? 'ends well' : 'fails'} to ${identifier}.cases.ts`);
  });
  expect(lacking).toEqual([]);
});
