import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { describe, expect, it } from 'vitest';
import { inputJsonSchema, outputJsonSchema } from '../../../server/core/registry/json-schema.ts';
import { ToolRegistry } from '../../../server/core/registry/registry.ts';
import { ToolList } from '../../../server/core/registry/tool-list.ts';
import { loadMode } from '../../../server/modes/loader.ts';
import { MANIFESTS } from '../../../shared/tools/index.ts';
import { testProvider, testTool, type TestProvider } from '../../support/test-provider.ts';

interface Made {
  readonly list: ToolList;
  readonly registry: ToolRegistry;
  readonly provider: TestProvider;
  readonly gone: AbortController;
  /** How often the list said that it is another. */
  readonly changeCount: () => number;
}

function makeList(selectors?: readonly string[]): Made {
  const provider = testProvider('files');
  const registry = new ToolRegistry({
    manifests: MANIFESTS,
    augmentations: [],
    mode: loadMode('default'),
    schemas: { input: inputJsonSchema, output: outputJsonSchema },
    providers: [provider],
    logger: { warn: () => undefined },
  });
  const gone = new AbortController();
  const list = new ToolList({ registry, selectors, signal: gone.signal });
  let changeCount = 0;
  list.onChange(() => (changeCount += 1));
  return { list, registry, provider, gone, changeCount: () => changeCount };
}

const names = fc.array(fc.oneof(fc.constantFrom(...MANIFESTS.map(({ name }) => name)), fc.string()));

describe('the list of a session', () => {
  it('only grows, answers what is new, and tells exactly when it is another', () => {
    fc.assert(
      fc.property(fc.array(names, { maxLength: 8 }), (steps) => {
        const { list, registry, changeCount } = makeList(['read']);
        for (const step of steps) {
          const [before, toldBefore] = [list.listed(), changeCount()];
          const added = list.add(step);
          const after = list.listed();
          expect(after.filter((name) => !before.includes(name))).toEqual(added);
          expect(after).toEqual(expect.arrayContaining([...before]));
          expect(after).toEqual(expect.arrayContaining(step.filter((name) => registry.has(name))));
          expect(changeCount() - toldBefore).toBe(added.length > 0 ? 1 : 0);
          expect(registry.all().map(({ manifest }) => manifest.name)).toEqual(
            expect.arrayContaining([...after]),
          );
        }
      }),
      { numRuns: rounds(40, 8) },
    );
  });

  it('has the order of the registry, however it was built', () => {
    const { list, registry } = makeList(['screenshot', 'read']);
    list.add(['crawl', 'act', 'console']);
    const order = registry.all().map(({ manifest }) => manifest.name);
    expect(list.listed()).toEqual(order.filter((name) => list.listed().includes(name)));
  });

  it('receives nothing after its session has closed', () => {
    const { list, provider, gone, changeCount } = makeList();
    provider.offer([testTool({ name: 'files_read', kind: 'upstream' })]);
    expect(changeCount()).toBe(1);
    gone.abort(new Error('the client left'));
    provider.offer([]);
    provider.offer([testTool({ name: 'files_write', kind: 'upstream' })]);
    expect(changeCount()).toBe(1);
    expect(list.listed()).not.toContain('files_write');
  });

  it('keeps what a fact brought, once', () => {
    const { list, changeCount } = makeList(['read']);
    list.manage('has_run');
    list.manage('has_run');
    expect(list.listed()).toEqual(expect.arrayContaining(['run_cancel', 'run_resume', 'run_status']));
    expect(changeCount()).toBe(1);
  });
});
