import type { z } from 'zod';
import { MIME } from '../../../shared/mime.ts';
import type { ocOutputQuery } from '../../../shared/tools/oc_output_query/manifest.ts';
import type { OutputQueries } from '../../core/output.ts';
import type { ToolRuntime, ToolRuntimes } from '../../core/registry/definition.ts';

type Args = z.output<typeof ocOutputQuery.input>;

export const createRuntimes = (services: { readonly queries: OutputQueries }): ToolRuntimes => ({
  oc_output_query: createOutputQuery(services),
});

/** `oc_output_query`: one page of the result of a query. */
function createOutputQuery({ queries }: { readonly queries: OutputQueries }): ToolRuntime<Args> {
  return {
    async run(args, context) {
      const { page, notes, stored } = await queries.query(args, context.signal);
      const { untrustedFrom } = stored;
      return {
        // Stored output was redacted before it was stored.
        clean: { kind: 'json', mimeType: MIME.json, value: page },
        done: Promise.resolve({ state: {}, coverage: notes }),
        ...(untrustedFrom === null ? {} : { untrustedFrom: () => untrustedFrom }),
      };
    },
  };
}
