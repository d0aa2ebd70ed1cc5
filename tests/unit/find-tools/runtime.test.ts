import { payloadOf } from '../../support/clean.ts';
import fc from '../../support/property.ts';
import { describe, expect, it } from 'vitest';
import type { CallContext } from '../../../server/core/context.ts';
import type { ToolSelector } from '../../../server/core/registry/selector.ts';
import { silentLogger } from '../../support/app-options.ts';
import { PLAIN_CALL, createSession, testRegistry } from '../../support/session.ts';
import { createFindTools } from '../../../server/tools/find_tools/runtime.ts';
import { createTextSelector } from '../../../server/tools/find_tools/text-selector.ts';
import { MANIFESTS } from '../../../shared/tools/index.ts';

const registry = testRegistry(MANIFESTS);

const contextWith = (signal = new AbortController().signal): CallContext => ({
  ...PLAIN_CALL,
  callId: 'call',
  session: createSession('find', signal),
  signal,
  progress: () => undefined,
  output: { mode: 'inline', inlineLimitBytes: 1_000 },
  logger: silentLogger,
  clock: { now: () => 0, monotonic: () => 0 },
  keepState: () => undefined,
  registerAfterCompletion: () => undefined,
});

/** Names of the matches that a query is answered with. */
async function matches(loadSelector: () => Promise<ToolSelector>, query: string): Promise<readonly string[]> {
  const payload = payloadOf(
    await createFindTools({ registry, loadSelector }).run({ query } as never, contextWith()),
  );
  const { value } = payload as unknown as { value: { matches: readonly { name: string }[] } };
  return value.matches.map(({ name }) => name);
}

describe('any selector', () => {
  it('is asked for the best eight of all tools that can be found, and its order stays', async () => {
    const asked: Parameters<ToolSelector['select']>[0][] = [];
    const backwards: ToolSelector = {
      select: (request) => {
        asked.push(request);
        return Promise.resolve(
          [...request.tools]
            .reverse()
            .slice(0, 3)
            .map((definition) => ({ definition, score: 1 })),
        );
      },
    };
    const names = registry.all().map(({ manifest }) => manifest.name);
    expect(await matches(async () => backwards, 'whatever')).toEqual(names.toReversed().slice(0, 3));
    expect(asked).toMatchObject([{ query: 'whatever', limit: 8 }]);
    expect(asked[0]?.tools.map(({ manifest }) => manifest.name)).toEqual(names);
  });

  it('is loaded with the first query, once, and again where that failed', async () => {
    let loads = 0;
    const tool = createFindTools({
      registry,
      loadSelector: async () => {
        loads += 1;
        if (loads === 1) throw new Error('a file is missing');
        return createTextSelector();
      },
    });
    await tool.run({ select: ['screenshot'] } as never, contextWith());
    expect(loads).toBe(0);
    await expect(tool.run({ query: 'screenshot' } as never, contextWith())).rejects.toThrow(
      'a file is missing',
    );
    await tool.run({ query: 'screenshot' } as never, contextWith());
    await tool.run({ query: 'console' } as never, contextWith());
    expect(loads).toBe(2);
  });
});

describe('the selector over text', () => {
  const tools = registry.all();
  const select = (query: string, limit = 8, signal = new AbortController().signal) =>
    createTextSelector().select({ query, tools, limit, signal });

  it('finds every tool by its name, its title, and its name with slips of the pen', async () => {
    for (const { manifest, presentation } of tools) {
      const top = async (query: string): Promise<unknown> =>
        (await select(query, 1))[0]?.definition.manifest.name;
      expect(await top(manifest.name)).toBe(manifest.name);
      expect(await top(manifest.name.replaceAll('_', ' '))).toBe(manifest.name);
      const titled = (await select(presentation.title, 3)).map(({ definition }) => definition.manifest.name);
      expect(titled).toContain(manifest.name);
    }
  });

  it('answers at most what was asked for, best first, for whatever words', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ maxLength: 400 }),
        fc.integer({ min: 1, max: 8 }),
        async (query, limit) => {
          const found = await select(query, limit);
          const scores = found.map(({ score }) => score);
          expect(found.length).toBeLessThanOrEqual(limit);
          expect(scores).toEqual(scores.toSorted((a, b) => b - a));
          expect(new Set(found.map(({ definition }) => definition)).size).toBe(found.length);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('sees the tools of each question, and not those of the last', async () => {
    const selector = createTextSelector();
    const { signal } = new AbortController();
    const without = tools.filter(({ manifest }) => manifest.name !== 'screenshot');
    const names = async (of: typeof tools): Promise<unknown> =>
      (await selector.select({ query: 'screenshot', tools: of, limit: 1, signal }))[0]?.definition.manifest
        .name;
    expect(await names(tools)).toBe('screenshot');
    expect(await names(without)).not.toBe('screenshot');
    expect(await names(tools)).toBe('screenshot');
  });

  it('does not begin for a disconnected client', () => {
    const gone = new AbortController();
    gone.abort(new Error('gone'));
    expect(() => select('screenshot', 8, gone.signal)).toThrow('gone');
  });
});
