import { produceClean } from '../core/calls/produce.ts';
import { each } from '../../shared/base/queue.ts';
import { MIME } from '../../shared/base/mime.ts';
import type { docsFetch, docsSearch } from '../../shared/docs-search/docs.manifest.ts';
import type { Produced } from '../core/result.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import type { ToolRegistry } from '../core/registry/registry.ts';
import { DECLARATIONS_PAGE, declarationsOf } from '../programs/declarations.ts';
import { vouch, vouchEach } from '../libraries/redaction/mark.ts';
import { createDocsLoader } from './library.ts';

/** Both tools read the same pages, once. */
export const createRuntimes = ({ registry }: { readonly registry: ToolRegistry }): ToolRuntimes => {
  const load = createDocsLoader();
  return {
    docs_search: async ({ query, limit }: ArgsOf<typeof docsSearch>) => {
      const hits = await (await load()).search(query, limit);
      const coverage = hits.length > 0 ? [] : ['No match: docs_fetch without page lists the pages.'];
      return produceClean(
        hits.map((hit) => vouch({ ...hit })),
        coverage,
      );
    },
    docs_fetch: async ({ page }: ArgsOf<typeof docsFetch>) => {
      // Other servers' descriptions are not ours.
      if (page === DECLARATIONS_PAGE)
        return {
          payload: { kind: 'text', mimeType: MIME.text, chunks: each([declarationsOf(registry)]) },
          outcome: () => ({ state: {}, coverage: [] }),
        };
      const library = await load();
      if (page === undefined) return produceMarkdown(library.contents());
      const { markdown, isOutline } = library.fetch(page);
      const note = 'The page is too long for one answer: fetch its sections by the names in the outline.';
      return produceMarkdown(markdown, isOutline ? [note] : []);
    },
  };
};

/** The pages are our own and contain only example secrets, which have to stay readable. */
function produceMarkdown(markdown: string, coverage: readonly string[] = []): Produced {
  return {
    clean: { kind: 'text', mimeType: MIME.markdown, chunks: vouchEach(each([markdown])) },
    outcome: () => ({ state: {}, coverage }),
  };
}
