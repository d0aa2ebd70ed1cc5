import type { Result } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { LINEAGE_METHOD } from '../core/upstreams.ts';
import { ListParams, UriParams, type McpScope, type McpServerOptions } from './rpc.ts';

/** `params` of the method by which a Spillway asks another one where it leads. */
const LineageParams = z.object({ ids: z.array(z.string().max(64)).max(200) });

/** Serves a method with the schema of its parameters and its handler. */
export type Serve = <Params>(
  method: string,
  params: z.ZodType<Params>,
  answer: (params: Params, scope: McpScope, signal: AbortSignal) => Promise<Result>,
) => void;

export const faceCapabilities = ({ resources, logs }: McpServerOptions) => ({
  ...(resources === undefined ? {} : { resources: { subscribe: true, listChanged: true } }),
  prompts: resources?.upstreams === undefined ? {} : { listChanged: true },
  completions: {},
  ...(logs === undefined ? {} : { logging: {} }),
});

/**
 * Resources, prompts and completion, which both eras have. The first request loads the handlers, so that a
 * start reads none of them.
 * @param ended handles of the session that no longer exist; null if no list has stored outputs
 */
export function serveFaces(
  serve: Serve,
  { resources }: McpServerOptions,
  ended: ReadonlySet<string> | null,
): void {
  const gone = ended ?? new Set<string>();
  if (resources !== undefined) {
    serve('resources/list', ListParams, async ({ cursor }, { session, options }) => {
      const { listResources, newestFirst } = await import('./resources.ts');
      return listResources(
        options,
        { outputs: ended === null ? [] : newestFirst(session), ended: gone },
        cursor,
      );
    });
    serve('resources/templates/list', ListParams, async ({ cursor }, { options }) =>
      (await import('./resources.ts')).listTemplates(options, cursor),
    );
    serve('resources/read', UriParams, async ({ uri }, scope, signal) =>
      (await import('./resources.ts')).readResource(scope, uri, signal),
    );
  }
  serve('prompts/list', ListParams, async ({ cursor }, { options }) =>
    (await import('./prompts/prompts.ts')).listPrompts(options, cursor),
  );
  serve('prompts/get', z.unknown(), async (params, scope, signal) =>
    (await import('./prompts/prompts.ts')).getPrompt(scope, params, signal),
  );
  serve('completion/complete', z.unknown(), async (params, scope, signal) =>
    (await import('./prompts/prompts.ts')).complete(scope, gone, params, signal),
  );
  const lineage = resources?.upstreams?.lineage;
  if (lineage !== undefined)
    serve(LINEAGE_METHOD, LineageParams, async ({ ids }, { session }) => ({
      ...lineage.noteAskedBy(session, ids),
    }));
}
