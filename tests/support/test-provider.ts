import { z } from 'zod';
import { produceJson } from '../../server/core/calls/produce.ts';
import type { Produced } from '../../server/core/result.ts';
import type { ProvidedTool, ToolProvider, ProvidedRuntime } from '../../server/core/registry/definition.ts';
import { defined, type JsonObject } from '../../shared/base/json.ts';
import { defineTool, type ToolDraft } from '../../shared/core/tools/manifest.ts';

export interface TestProvider extends ToolProvider {
  offer(tools: readonly ProvidedTool[]): void;
}

/** Tools with names of their own, such as those of recipes and other servers. */
export function testProvider(id: string, first: readonly ProvidedTool[] = []): TestProvider {
  const listeners = new Set<() => void>();
  let tools = first;
  const tell = (): void => listeners.forEach((listener) => listener());
  return {
    id,
    tools: () => tools,
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    offer: (offered) => {
      tools = offered;
      tell();
    },
  };
}

type Draft = Partial<Omit<ToolDraft<string, z.ZodObject>, 'name'>> &
  Partial<Pick<ProvidedTool, 'inputSchema' | 'outputSchema' | 'presentAs'>> & {
    readonly name: string;
    readonly kind: ProvidedTool['kind'];
    readonly run?: ProvidedRuntime;
  };

/** Returns its arguments: `direct` as JSON of ours, `upstream` as a text block of MCP. */
const echo: Readonly<Record<ProvidedTool['kind'], ProvidedRuntime>> = {
  direct: async (args) => produceJson({ echo: args as JsonObject }),
  upstream: async (args) => ({
    passed: { content: [{ type: 'text', text: JSON.stringify(args) }], isError: false },
  }),
};

/** One tool of a provider; the defaults are harmless. */
export function testTool(draft: Draft): ProvidedTool {
  const { kind, run = echo[kind], inputSchema, outputSchema, presentAs, ...rest } = draft;
  return {
    kind,
    manifest: defineTool({
      title: rest.name,
      category: kind === 'upstream' ? 'upstream' : 'recipes',
      tier: 2,
      risk: 'none',
      does: 'A tool of a test.',
      input: z.looseObject({}),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      ...rest,
    }),
    ...defined({ inputSchema, outputSchema, presentAs }),
    runtime: () => Promise.resolve(run),
  };
}

/** A tool that acts, so that nothing may call it twice. */
export const actTool = (
  name: string,
  work: (args: JsonObject, context: Parameters<ProvidedRuntime>[1]) => Promise<Produced>,
): ProvidedTool =>
  testTool({
    name,
    kind: 'direct',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    run: (args, context) => work(args as JsonObject, context),
  });
