import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { facesIn, structureProblems, type StructureWorld } from '../../../scripts/lib/structure.ts';
import { readStructureWorld } from '../../../scripts/lib/structure-world.ts';
import { ROWS } from '../../../extension/ui/faces/rows.ts';
import type { ToolServices } from '../../../server/core/index.ts';
import { RUN_WORKERS, RUNTIMES } from '../../../server/core/runtimes.generated.ts';
import { MANIFESTS } from '../../../shared/core/tools/index.ts';

// A tool has the same name in every room: a missing part means a half-added tool.

const ROOT = resolve(import.meta.dirname, '../../..');

/** Runtimes receive their services when created, and use them when called. */
const STUB = new Proxy({}, { get: () => () => undefined }) as ToolServices;

async function apisOf(identifier: string): Promise<readonly [string, string[]]> {
  const runtimes = (await RUNTIMES[identifier]?.(STUB)) ?? {};
  for (const [api, run] of Object.entries(runtimes))
    expect(run, `${identifier} ${api}`).toBeTypeOf('function');
  return [identifier, Object.keys(runtimes)];
}

describe('this repository', () => {
  let world: StructureWorld;
  beforeAll(async () => {
    const runtimes = Object.fromEntries(await Promise.all(Object.keys(RUNTIMES).map(apisOf)));
    world = await readStructureWorld(ROOT, {
      listed: MANIFESTS,
      panel: facesIn(ROWS),
      runtimes,
      workers: Object.keys(RUN_WORKERS),
    });
  }, 60_000);

  it('has every face that its tools declare, and none that no tool declares', () => {
    expect(structureProblems({ ...world, sections: MANIFESTS.map(({ name }) => name) })).toEqual([]);
  });

  it('has a section of the reference for every tool', () => expect(structureProblems(world)).toEqual([]));

  it.each<Partial<StructureWorld>>([
    { extension: {} },
    { panel: {} },
    { server: {} },
    { handlers: [] },
    { workers: [] },
  ])('would not have them with %j', (change) => {
    expect(structureProblems({ ...world, ...change })).not.toEqual([]);
  });

  it('has run workers that can be loaded', async () => {
    for (const load of Object.values(RUN_WORKERS)) expect((await load(STUB)).run).toBeTypeOf('function');
  });
});
