import { z } from 'zod';
import type { ProvidedTool, ToolProvider, ProvidedRuntime } from '../../server/core/registry/definition.ts';
import type { JsonObject } from '../../shared/json.ts';
import { MIME } from '../../shared/mime.ts';
import { defineTool, type ToolDraft } from '../../shared/tools/manifest.ts';

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

type Draft = Partial<Omit<ToolDraft<string, z.ZodObject>, 'name' | 'description'>> &
  Partial<Pick<ProvidedTool, 'inputSchema' | 'outputSchema' | 'presentAs'>> & {
    readonly name: string;
    readonly kind: ProvidedTool['kind'];
    readonly does?: string;
    readonly run?: ProvidedRuntime;
  };

/** Returns its arguments: `direct` as JSON of ours, `upstream` as a text block of MCP. */
const echo: Readonly<Record<ProvidedTool['kind'], ProvidedRuntime>> = {
  direct: async (args) => ({
    payload: { kind: 'json', mimeType: MIME.json, value: { echo: args as JsonObject } },
    done: Promise.resolve({ state: {}, coverage: [] }),
  }),
  upstream: async (args) => ({
    passed: { content: [{ type: 'text', text: JSON.stringify(args) }], isError: false },
  }),
};

/** One tool of a provider; the defaults are harmless. */
export function testTool(draft: Draft): ProvidedTool {
  const {
    kind,
    does = 'A tool of a test.',
    run = echo[kind],
    inputSchema,
    outputSchema,
    presentAs,
    ...rest
  } = draft;
  return {
    kind,
    manifest: defineTool({
      title: rest.name,
      category: kind === 'upstream' ? 'upstream' : 'recipes',
      tier: 2,
      risk: 'none',
      description: { does, use: '', avoid: '' },
      input: z.looseObject({}),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      spills: false,
      ...rest,
    }),
    ...(inputSchema === undefined ? {} : { inputSchema }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(presentAs === undefined ? {} : { presentAs }),
    runtime: () => Promise.resolve(run),
  };
}
