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

const { written, server, runtimes } = good;
const sailOff = tool('sail_off', { identifier: 'sail' });

const breaks: readonly (readonly [change: Partial<StructureWorld>, problem: string])[] = [
  [{ written: { ...written, sail: [sailUp, sailDown, sailOff] } }, 'sail_off: shared/tools/sail/manifest.ts'],
  [{ written: { ...written, empty: null } }, 'empty: shared/tools/empty has no manifest.ts'],
  [{ written: { ...written, tower: [mill] } }, 'mill: its identifier is mill, but its manifest is in'],
  [{ server: { ...server, stray: [] } }, 'stray: is in server/tools'],
  [{ server: { ...server, mill: ['wind.ts'] } }, 'mill: server/tools/mill/runtime.ts is missing'],
  [{ runtimes: { ...runtimes, sail: ['sail_up'] } }, 'sail: its runtimes have no api sail_down'],
  [{ extension: {} }, 'mill: extension/tools/mill/handler.ts is missing'],
  [{ handlers: [] }, 'mill: extension/worker/handlers.generated.ts does not take'],
  [{ methods: [] }, 'mill: shared/tools/methods.generated.ts does not take'],
  [{ panel: {} }, 'mill: extension/panel/tools/mill/inspector.tsx is missing'],
  [{ workers: [] }, 'mill: its calls are runs, but RUN_WORKERS'],
  [{ sections: ['mill', 'sail_up'] }, 'sail_down: has no section in docs/tools.md'],
];

describe('the rules', () => {
  it('find nothing in a tree where all is there', () => {
    expect(structureProblems(good)).toEqual([]);
  });

  it.each(breaks)('find in %j that %s', (change, problem) => {
    expect(structureProblems({ ...good, ...change }).join('\n')).toContain(problem);
  });
});
