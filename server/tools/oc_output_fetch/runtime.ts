import { each } from '../../../shared/async/queue.ts';
import type { z } from 'zod';
import { MIME } from '../../../shared/mime.ts';
import type { ocOutputFetch } from '../../../shared/tools/oc_output_fetch/manifest.ts';
import type { ToolRuntimes } from '../../core/registry/definition.ts';
import type { OutputPager } from '../../core/output.ts';

/** `oc_output_fetch`: one page of a handle. */
export const createRuntimes = ({ pager }: { readonly pager: OutputPager }): ToolRuntimes => ({
  oc_output_fetch: async (args: z.output<typeof ocOutputFetch.input>, context) => {
    const { page, note, stored, picture } = await pager.fetch(args, context.signal);
    return {
      // Stored output was redacted before it was stored; a page must give its bytes back exactly.
      ...(picture === undefined
        ? { clean: { kind: 'json', mimeType: MIME.json, value: page } }
        : {
            clean: { kind: 'bytes', mimeType: picture.mimeType, chunks: each([picture.bytes]) },
            description: page,
          }),
      done: Promise.resolve({ state: {}, coverage: [note] }),
      ...(stored.untrustedFrom === null ? {} : { untrustedFrom: () => stored.untrustedFrom ?? undefined }),
    };
  },
});
