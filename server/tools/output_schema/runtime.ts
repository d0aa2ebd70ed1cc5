import type { z } from 'zod';
import { MIME } from '../../../shared/mime.ts';
import type { outputSchema } from '../../../shared/tools/output_schema/manifest.ts';
import type { OutputQueries } from '../../core/output.ts';
import type { ToolRuntime, ToolRuntimes } from '../../core/registry/definition.ts';

type Args = z.output<typeof outputSchema.input>;

export const createRuntimes = (services: { readonly queries: OutputQueries }): ToolRuntimes => ({
  output_schema: createOutputSchema(services),
});

/** `output_schema`: the schema that fits all items of a handle. */
function createOutputSchema({ queries }: { readonly queries: OutputQueries }): ToolRuntime<Args> {
  return {
    async run({ output_handle: handle }, context) {
      const question = { output_handle: handle, schema: true, offset: 0, limit: 1 };
      const { page, notes, stored } = await queries.query(question, context.signal);
      const { untrustedFrom, itemCount } = stored;
      return {
        clean: {
          kind: 'json',
          mimeType: MIME.json,
          value: { output_handle: page.output_handle, items: itemCount, schema: page.content[0] ?? {} },
        },
        done: Promise.resolve({ state: {}, coverage: notes }),
        ...(untrustedFrom === null ? {} : { untrustedFrom: () => untrustedFrom }),
      };
    },
  };
}
