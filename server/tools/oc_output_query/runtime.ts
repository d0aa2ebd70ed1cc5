import { produceClean } from '../../core/calls/produce.ts';
import type { z } from 'zod';
import type { ocOutputQuery } from '../../../shared/tools/oc_output_query/manifest.ts';
import type { OutputQueries } from '../../core/output.ts';
import type { ToolRuntimes } from '../../core/registry/definition.ts';

/** `oc_output_query`: one page of the result of a query. */
export const createRuntimes = ({ queries }: { readonly queries: OutputQueries }): ToolRuntimes => ({
  oc_output_query: async (args: z.output<typeof ocOutputQuery.input>, context) => {
    const { page, notes, stored } = await queries.query(args, context.signal);
    const { untrustedFrom } = stored;
    // Stored output was redacted before it was stored.
    const produced = produceClean(page, notes);
    return untrustedFrom === null ? produced : { ...produced, untrustedFrom: () => untrustedFrom };
  },
});
