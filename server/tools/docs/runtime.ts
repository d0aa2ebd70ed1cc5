import type { z } from 'zod';
import { MIME } from '../../../shared/mime.ts';
import type { docsFetch, docsSearch } from '../../../shared/tools/docs/manifest.ts';
import type { Produced } from '../../core/calls/payload.ts';
import { produceJson } from '../../core/calls/produce.ts';
import type { ToolRuntime, ToolRuntimes } from '../../core/registry/runtime.ts';
import { createDocsLoader, type DocsLibrary } from './library.ts';

type SearchArgs = z.output<typeof docsSearch.input>;
type FetchArgs = z.output<typeof docsFetch.input>;

export const createRuntimes = (): ToolRuntimes => createDocs();

/** The runtimes of `docs`, by api; both read the same pages, once. */
export function createDocs(load: () => Promise<DocsLibrary> = createDocsLoader()): ToolRuntimes {
  return { docs_search: createSearch(load), docs_fetch: createFetch(load) };
}

/** `docs_search`: a short list. */
function createSearch(load: () => Promise<DocsLibrary>): ToolRuntime<SearchArgs> {
  return {
    async run({ query, limit }) {
      const hits = await (await load()).search(query, limit);
      const { payload } = produceJson(hits.map((hit) => ({ ...hit })));
      const coverage = hits.length > 0 ? [] : ['Nothing fits: docs_fetch without page lists the pages.'];
      return { payload: { ...payload, verbatim: true }, done: Promise.resolve({ state: {}, coverage }) };
    },
  };
}

/** `docs_fetch`: Markdown, whole or outlined. */
function createFetch(load: () => Promise<DocsLibrary>): ToolRuntime<FetchArgs> {
  return {
    async run({ page }) {
      const library = await load();
      if (page === undefined) return produceMarkdown(library.contents());
      const { markdown, isOutline } = library.fetch(page);
      return produceMarkdown(
        markdown,
        isOutline
          ? ['The page is too long for one answer: ask for its sections by the names in the outline.']
          : [],
      );
    },
  };
}

/** The pages are our own and hold no secret but examples of some, which have to stay readable. */
function produceMarkdown(markdown: string, coverage: readonly string[] = []): Produced {
  return {
    payload: { kind: 'text', mimeType: MIME.markdown, chunks: once(markdown), verbatim: true },
    done: Promise.resolve({ state: {}, coverage }),
  };
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
