import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { type Mode, GROUPS, type ToolProvider } from '../../../server/core/registry/definition.ts';
import { ToolRegistry, type RegistryOptions } from '../../../server/core/registry/registry.ts';
import { checkSelectors, chooseTools, ToolList } from '../../../server/core/registry/session.ts';
import { MODES, loadMode } from '../../../server/core/modes/loader.ts';
import { MANIFESTS } from '../../../shared/core/tools/index.ts';
import { testProvider } from '../../support/test-provider.ts';
import { defineTool, type ToolDraft } from '../../../shared/core/tools/manifest.ts';

type Draft = Partial<ToolDraft<string, z.ZodObject>> & { readonly name: string };

const tool = (draft: Draft) =>
  defineTool({
    title: 'Made up',
    category: 'dev',
    risk: 'none',
    does: 'Nothing.',
    use: 'Use it in tests.',
    avoid: 'Not elsewhere.',
    input: z.strictObject({}),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    ...draft,
  });

const TOOLS = [
  tool({ name: 'plain', category: 'read', tier: 2 }),
  tool({ name: 'spilling', category: 'capture', spills: true }),
  tool({ name: 'running', category: 'capture', runs: true, tier: 2 }),
  tool({ name: 'first', category: 'experimental', needs: ['second', 'nowhere'] }),
  tool({ name: 'second', needs: ['third'], flags: { discoverable: false } }),
  tool({ name: 'third', needs: ['first', 'spilling'], flags: { runtimeManaged: 'has_run' } }),
  tool({ name: 'unseen', category: 'read', tier: 2, flags: { discoverable: false } }),
  tool({ name: 'panel_only', category: 'read', flags: { hidden: true } }),
  tool({ name: 'oc_output_fetch', category: 'output', tier: 1 }),
  tool({ name: 'run_status', category: 'runs', tier: 2 }),
  tool({ name: 'run_output', category: 'runs', tier: 2, needs: ['oc_output_fetch'] }),
];

const withWidgets: Mode = {
  ...loadMode('default'),
  rows: { running: { widget: 'run' }, spy_internal: { audience: 'widget' } },
  own: [{ name: 'spy_internal', of: 'run_status', serves: 'runs' }],
};

interface Made {
  readonly manifests?: RegistryOptions['manifests'];
  readonly mode?: Mode;
  readonly selectors?: readonly string[];
  readonly providers?: readonly ToolProvider[];
}

const registryOf = ({
  manifests = TOOLS,
  mode = loadMode('default'),
  selectors,
  providers = [],
}: Made = {}): ToolRegistry =>
  new ToolRegistry({
    manifests,
    outputModeDefault: 'inline',
    mode,
    providers,
    selectors,
    logger: { warn: () => undefined },
  });

const chosen = (selectors: readonly string[] | undefined, made: Made = {}): readonly string[] =>
  [...chooseTools(registryOf(made), selectors)].sort();

const ALWAYS = 'oc_output_fetch';

describe('what is chosen', () => {
  it.each<[readonly string[], readonly string[]]>([
    [['default'], ['plain', 'running', 'run_output', 'run_status', ALWAYS]],
    [
      ['default', 'spilling'],
      ['plain', 'running', 'run_output', 'run_status', 'spilling', ALWAYS],
    ],
    [['read'], ['panel_only', 'plain', ALWAYS]],
    [['running'], ['running', 'run_output', 'run_status', ALWAYS]],
    [['capture'], ['running', 'run_output', 'run_status', 'spilling', ALWAYS]],
    [['experimental'], ['first', 'second', 'spilling', 'third', ALWAYS]],
    [['dev'], [ALWAYS]],
    [
      ['third', 'unseen', 'third'],
      ['first', 'second', 'spilling', 'third', 'unseen', ALWAYS],
    ],
  ])('by %j is %j', (selectors, names) => expect(chosen(selectors)).toEqual([...names].sort()));

  const selectors = fc.subarray([...GROUPS, ...MANIFESTS.map(({ name }) => name)]);
  it.each(MODES.map(({ name }) => name))(
    'in mode %s is closed, has no double, and grows with its selectors',
    (name) => {
      const registry = registryOf({ manifests: MANIFESTS, mode: loadMode(name) });
      fc.assert(
        fc.property(selectors, selectors, (some, more) => {
          const few = chooseTools(registry, some);
          expect(new Set(few).size).toBe(few.length);
          expect(few).toContain(ALWAYS);
          for (const { manifest } of few.map((each) => registry.get(each))) {
            expect(few).toEqual(expect.arrayContaining([...manifest.needs]));
            if (manifest.runs) expect(few).toEqual(expect.arrayContaining(['run_status', 'run_output']));
          }
          if (some.length > 0)
            expect(chooseTools(registry, [...some, ...more])).toEqual(expect.arrayContaining([...few]));
        }),
        { numRuns: rounds(60, 8) },
      );
    },
  );
});

describe('a selector that names nothing', () => {
  const registry = registryOf({ mode: withWidgets });
  it.each([
    ['plian', 'plain'],
    ['raed', 'read'],
    ['captures', 'capture'],
    ['defualt', 'default'],
    ['run', 'runs'],
  ])('the error for %s suggests %s', (wrong, right) => {
    expect(() => checkSelectors(registry, ['read', wrong], '--tools')).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        message: expect.stringMatching(new RegExp(`^--tools: .*"${wrong}".*\\b${right}\\b`)),
      }),
    );
  });
});

/** A list over all tools, and a provider; `changes` is called when the list reports a change. */
function makeList(selectors?: readonly string[]) {
  const provider = testProvider('files');
  const registry = registryOf({ manifests: MANIFESTS, providers: [provider] });
  const gone = new AbortController();
  const list = new ToolList({ registry, selectors, signal: gone.signal });
  const changes = vi.fn();
  list.onChange(changes);
  return { list, registry, provider, gone, changeCount: () => changes.mock.calls.length };
}

const names = fc.array(fc.oneof(fc.constantFrom(...MANIFESTS.map(({ name }) => name)), fc.string()));

it('the list of a session only grows, answers what is new, and tells exactly when it is another', () => {
  fc.assert(
    fc.property(fc.array(names, { maxLength: 8 }), (steps) => {
      const { list, registry, changeCount } = makeList(['read']);
      for (const step of steps) {
        const [before, toldBefore] = [list.namesInList(), changeCount()];
        const added = list.add(step);
        const after = list.namesInList();
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
