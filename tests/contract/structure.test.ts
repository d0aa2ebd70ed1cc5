import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { structureProblems, type StructuredTool, type StructureWorld } from '../../scripts/lib/structure.ts';
import { readStructureWorld } from '../../scripts/lib/structure-world.ts';
import type { ToolServices } from '../../server/tools/index.ts';
import { RUN_WORKERS, RUNTIMES } from '../../server/tools/runtimes.generated.ts';
import { MANIFESTS } from '../../shared/tools/index.ts';

// A tool is the same word in every room: what is here and not there is a tool half added.

const ROOT = resolve(import.meta.dirname, '../..');

/** Runtimes take their services when they are made, and use them when they are called. */
const STUB = new Proxy({}, { get: () => () => undefined }) as ToolServices;

async function apisOf(identifier: string): Promise<readonly [string, string[]]> {
  const runtimes = (await RUNTIMES[identifier]?.(STUB)) ?? {};
  for (const [api, { run }] of Object.entries(runtimes))
    expect(run, `${identifier} ${api}`).toBeTypeOf('function');
  return [identifier, Object.keys(runtimes)];
}

describe('this repository', () => {
  let world: StructureWorld;
  beforeAll(async () => {
    const runtimes = Object.fromEntries(await Promise.all(Object.keys(RUNTIMES).map(apisOf)));
    world = await readStructureWorld(ROOT, {
      listed: MANIFESTS,
      runtimes,
      workers: Object.keys(RUN_WORKERS),
    });
  }, 60_000);

  it('was looked at', () => {
    for (const room of [world.shared, world.server, world.extension, world.runtimes, world.written])
      expect(Object.keys(room).length).toBeGreaterThan(5);
    for (const list of [world.methods, world.handlers, world.sections, world.listed])
      expect(list.length).toBeGreaterThan(4);
  });

  it('has every face that its tools declare, and none that no tool declares', () => {
    expect(structureProblems({ ...world, sections: MANIFESTS.map(({ name }) => name) })).toEqual([]);
  });

  it('has a section of the reference for every tool', () => {
    expect(structureProblems(world)).toEqual([]);
  });

  it('has run workers that can be loaded', async () => {
    for (const load of Object.values(RUN_WORKERS)) expect((await load(STUB)).run).toBeTypeOf('function');
  });
});

const tool = (name: string, more: Partial<StructuredTool> = {}): StructuredTool => ({
  name,
  identifier: name,
  api: name,
  category: 'read',
  runs: false,
  faces: { extension: false, panel: [] },
  ...more,
});

const mill = tool('mill', { runs: true, faces: { extension: true, panel: ['Inspector', 'Render'] } });
const sailUp = tool('sail_up', { identifier: 'sail' });
const sailDown = tool('sail_down', { identifier: 'sail', category: 'runs', runs: true });

/** Two identifiers, three tools, every face: nothing is wrong with it. */
const good: StructureWorld = {
  listed: [mill, sailUp, sailDown],
  written: { mill: [mill], sail: [sailUp, sailDown] },
  shared: { mill: ['manifest.ts', 'methods.ts'], sail: ['manifest.ts'] },
  server: { mill: ['runtime.ts', 'wind.ts'], sail: ['runtime.ts'] },
  extension: { mill: ['handler.ts'] },
  panel: { mill: ['inspector.tsx', 'render.tsx', 'parts.ts'] },
  runtimes: { mill: ['mill'], sail: ['sail_up', 'sail_down'] },
  workers: ['mill'],
  methods: ['mill'],
  handlers: ['mill'],
  sections: ['mill', 'sail_up', 'sail_down'],
};

type Break = readonly [what: string, change: Partial<StructureWorld>, problem: string];

const stray = tool('stray');
const blind = { ...mill, faces: { extension: false, panel: [] } } satisfies StructuredTool;

const breaks: readonly Break[] = [
  [
    'a manifest that is not listed',
    { written: { ...good.written, sail: [sailUp, sailDown, tool('sail_off', { identifier: 'sail' })] } },
    'sail_off: shared/tools/sail/manifest.ts has it',
  ],
  [
    'a tool that is listed twice',
    { listed: [...good.listed, mill] },
    'mill: appears twice in shared/tools/manifests.generated.ts',
  ],
  [
    'a listed tool without folder',
    { listed: [...good.listed, tool('sail_off', { identifier: 'sail' })] },
    'sail_off: is listed, but no folder',
  ],
  [
    'a folder without manifest.ts',
    { written: { ...good.written, empty: null } },
    'empty: shared/tools/empty has no manifest.ts',
  ],
  [
    'a manifest.ts that exports none',
    { written: { ...good.written, empty: [] } },
    'empty: its manifest.ts exports no',
  ],
  [
    'an identifier that is not the folder',
    { written: { ...good.written, tower: [mill] } },
    'mill: its identifier is mill, but its manifest is in shared/tools/tower',
  ],
  [
    'a folder of shared/tools of no tool',
    { shared: { ...good.shared, stray: [] } },
    'stray: is in shared/tools',
  ],
  [
    'a folder of server/tools of no tool',
    { server: { ...good.server, stray: [] } },
    'stray: is in server/tools',
  ],
  [
    'a folder of extension/tools of no tool',
    { extension: { ...good.extension, stray: ['handler.ts'] } },
    'stray: is in extension/tools',
  ],
  [
    'a folder of the panel of no tool',
    { panel: { ...good.panel, stray: [] } },
    'stray: is in extension/panel/tools',
  ],
  ['runtimes of no tool', { runtimes: { ...good.runtimes, stray: [] } }, 'stray: is in RUNTIMES'],
  [
    'no runtime.ts',
    { server: { ...good.server, mill: ['wind.ts'] } },
    'mill: server/tools/mill/runtime.ts is missing',
  ],
  [
    'no line in RUNTIMES',
    { runtimes: { mill: ['mill'] } },
    'sail: RUNTIMES of server/tools/runtimes.generated.ts has no line',
  ],
  [
    'an api that the runtimes lack',
    { runtimes: { ...good.runtimes, sail: ['sail_up'] } },
    'sail: its runtimes have no api sail_down',
  ],
  [
    'an api that no manifest declares',
    { runtimes: { ...good.runtimes, mill: ['mill', 'grind'] } },
    'mill: its runtimes have the api grind',
  ],
  [
    'two manifests of one api',
    {
      listed: [mill, sailUp, { ...sailDown, api: 'sail_up' }],
      runtimes: { ...good.runtimes, sail: ['sail_up'] },
    },
    'sail: two of its manifests have the api sail_up',
  ],
  ['no browser half', { extension: {} }, 'mill: extension/tools/mill/handler.ts is missing'],
  [
    'an undeclared browser half',
    { listed: [blind, sailUp, sailDown], panel: {} },
    'mill: extension/tools/mill exists, but no manifest declares faces.extension',
  ],
  [
    'a handler that the worker does not take',
    { handlers: [] },
    'mill: extension/worker/handlers.generated.ts does not take',
  ],
  [
    'methods that the wire does not take',
    { methods: [] },
    'mill: shared/tools/methods.generated.ts does not take',
  ],
  [
    'methods of a tool without browser half',
    { shared: { ...good.shared, sail: ['manifest.ts', 'methods.ts'] }, methods: ['mill', 'sail'] },
    'sail: has methods.ts, but no manifest declares faces.extension',
  ],
  ['no folder in the panel', { panel: {} }, 'mill: extension/panel/tools/mill/inspector.tsx is missing'],
  [
    'a face that is missing',
    { panel: { mill: ['inspector.tsx'] } },
    'mill: extension/panel/tools/mill/render.tsx is',
  ],
  [
    'an undeclared face',
    { panel: { mill: ['inspector.tsx', 'render.tsx', 'portal.tsx'] } },
    'mill: extension/panel/tools/mill/portal.tsx is a face that no manifest declares',
  ],
  [
    'an undeclared panel folder',
    { panel: { ...good.panel, sail: ['render.tsx'] } },
    'sail: extension/panel/tools/sail exists, but no manifest declares faces.panel',
  ],
  ['no run worker', { workers: [] }, 'mill: its calls are runs, but RUN_WORKERS'],
  ['a run worker of no tool', { workers: ['mill', 'stray'] }, 'stray: is in RUN_WORKERS'],
  ['a run worker of a tool without runs', { workers: ['mill', 'sail_up'] }, 'sail_up: is in RUN_WORKERS'],
  [
    'no section of the reference',
    { sections: ['mill', 'sail_up'] },
    'sail_down: has no section in docs/tools.md',
  ],
  [
    'a section of no tool',
    { sections: [...good.sections, stray.name] },
    'stray: has a section in docs/tools.md but is not a tool',
  ],
];

describe('the rules', () => {
  it('find nothing in a tree where all is there', () => {
    expect(structureProblems(good)).toEqual([]);
  });

  it.each(breaks)('find %s', (_what, change, problem) => {
    expect(structureProblems({ ...good, ...change }).join('\n')).toContain(problem);
  });
});
