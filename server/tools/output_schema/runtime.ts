import type { z } from 'zod';
import { produceClean } from '../../core/calls/produce.ts';
import type { outputSchema } from '../../../shared/tools/output_schema/manifest.ts';
import type { OutputQueries } from '../../core/output.ts';
import type { ToolRuntimes } from '../../core/registry/definition.ts';

/** `output_schema`: the schema that fits all items of a handle. */
export const createRuntimes = ({ queries }: { readonly queries: OutputQueries }): ToolRuntimes => ({
  output_schema: async ({ output_handle: handle }: z.output<typeof outputSchema.input>, context) => {
    const question = { output_handle: handle, schema: true, offset: 0, limit: 1 };
    const { page, notes, stored } = await queries.query(question, context.signal);
    const { untrustedFrom, itemCount } = stored;
    const value = { output_handle: page.output_handle, items: itemCount, schema: page.content[0] ?? {} };
    const produced = produceClean(value, notes);
    return untrustedFrom === null ? produced : { ...produced, untrustedFrom: () => untrustedFrom };
  },
});
