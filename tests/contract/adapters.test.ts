import { beforeAll, describe, expect, test } from 'vitest';
import type { Mode } from '../../server/core/registry/definition.ts';
import { MODES } from '../../server/modes/loader.ts';
import { isObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { RUN_WORKERS } from '../../server/tools/runtimes.generated.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { MANIFESTS } from '../../shared/tools/index.ts';
import type { FakeTab } from '../support/fake-tabs.ts';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';
import { answerEverything } from './adapters/canned-tab.ts';
import { sample } from '../support/depth.ts';
import type { ToolCase } from '../support/tool-cases.ts';
import { CASES, crawlWorker } from './adapters/cases.ts';
import { mask, type Seen } from './adapters/outcome.ts';
import { executorWire, WIRES, type OpenWire } from './adapters/wires.ts';

// One table of calls, made in every mode through every adapter: the same input, the same content.

const URL = 'https://example.com/';
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

interface Told {
  readonly name: string;
  readonly wanted: ToolCase['ends'];
  readonly seen: Seen;
}

const nameOf = ({ tool, title }: ToolCase): string => `${tool} ${title}`;

/** A mode's twins are called as the tools that they are twins of. */
const casesOf = (mode: (typeof MODES)[number]): readonly ToolCase[] => [
  ...CASES,
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
function objectOf({ content: [first] }: Seen): JsonObject | null {
  if (first?.type !== 'text' || !/^[[{]/.test(first.text)) return null;
  const value = JSON.parse(first.text) as JsonValue;
  return isObject(value) ? value : { items: value };
}

// The last mode has all there is: twins, texts and objects. The adapters' own tests are in the default mode.
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
      expect({ name, ...others }).toEqual({ name, ...rest });
      // A wire without a place for an object leaves it out. The library has that of JSON in each mode, also where it is a text.
      const written = isWritten(mode, name) ? expect.any(Object) : null;
      if (wire === 'library' && seen.ok)
        expect(object, name).toEqual(objectOf(rest) ?? structured ?? written);
      else if (object !== undefined) expect(object, name).toEqual(structured);
    }
  });
});

/** They end well where a person answers, whom no adapter has here: their own tests do. */
const NEED_A_PERSON: ReadonlySet<string> = new Set(['request_human_input', 'resume_call']);

test('every tool has a case that ends well and one that fails', () => {
  const lacking = MANIFESTS.flatMap(({ name, identifier }) => {
    const ends = CASES.filter(({ tool }) => tool === name).map((each) => each.ends === 'ok');
    return [true, false]
      .filter((isOk) => !ends.includes(isOk) && !(isOk && NEED_A_PERSON.has(name)))
      .map(
        (isOk) =>
          `add a case of ${name} that ${isOk ? 'ends well' : 'fails'} to tests/tools/${identifier}/cases.ts`,
      );
  });
  expect(lacking).toEqual([]);
});
