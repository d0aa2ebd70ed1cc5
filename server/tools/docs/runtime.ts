import { produceClean } from '../../core/calls/produce.ts';
import { each } from '../../../shared/queue.ts';
import type { z } from 'zod';
import { MIME } from '../../../shared/mime.ts';
import type { docsFetch, docsSearch } from '../../../shared/tools/docs/manifest.ts';
import type { Produced } from '../../core/result.ts';
import type { ToolRuntime, ToolRuntimes } from '../../core/registry/definition.ts';
import type { ToolRegistry } from '../../core/registry/registry.ts';
import { DECLARATIONS_PAGE, declarationsOf } from '../../toolkit/programs/declarations.ts';
import { vouch, vouchEach } from '../../redact/mark.ts';
import { createDocsLoader, type DocsLibrary } from './library.ts';

type SearchArgs = z.output<typeof docsSearch.input>;
type FetchArgs = z.output<typeof docsFetch.input>;

export const createRuntimes = ({ registry }: { readonly registry: ToolRegistry }): ToolRuntimes =>
  createDocs(createDocsLoader(), () => declarationsOf(registry));

/** The runtimes of `docs`, by api; both read the same pages, once. */
export function createDocs(
  load: () => Promise<DocsLibrary> = createDocsLoader(),
  declarations: () => string = () => '',
): ToolRuntimes {
  return { docs_search: createSearch(load), docs_fetch: createFetch(load, declarations) };
}

/** `docs_search`: a short list. */
const createSearch =
  (load: () => Promise<DocsLibrary>): ToolRuntime<SearchArgs> =>
  async ({ query, limit }) => {
    const hits = await (await load()).search(query, limit);
    const coverage = hits.length > 0 ? [] : ['No match: docs_fetch without page lists the pages.'];
    const value = hits.map((hit) => vouch({ ...hit }));
    return produceClean(value, coverage);
  };

/** `docs_fetch`: Markdown, whole or outlined. */
const createFetch =
  (load: () => Promise<DocsLibrary>, declarations: () => string): ToolRuntime<FetchArgs> =>
  async ({ page }) => {
    // Other servers' descriptions are not ours.
    if (page === DECLARATIONS_PAGE)
      return {
        payload: { kind: 'text', mimeType: MIME.text, chunks: each([declarations()]) },
        done: Promise.resolve({ state: {}, coverage: [] }),
      };
    const library = await load();
    if (page === undefined) return produceMarkdown(library.contents());
    const { markdown, isOutline } = library.fetch(page);
    return produceMarkdown(
      markdown,
      isOutline
        ? ['The page is too long for one answer: fetch its sections by the names in the outline.']
        : [],
    );
  };

/** The pages are our own and contain only example secrets, which have to stay readable. */
function produceMarkdown(markdown: string, coverage: readonly string[] = []): Produced {
  return {
    clean: { kind: 'text', mimeType: MIME.markdown, chunks: vouchEach(each([markdown])) },
    done: Promise.resolve({ state: {}, coverage }),
  };
}
