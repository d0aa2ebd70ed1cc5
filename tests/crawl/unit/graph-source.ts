import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { GraphSite, type Graph } from '../../../fixtures/crawl-graph.ts';
import {
  emptyPage,
  type PageRead,
  type PageSource,
  type ResourceRead,
} from '../../../server/crawl/source.ts';
import type { RefuseRedirect } from '../../../server/crawl/redirects.ts';

export const SITE = 'http://site.test';

interface GraphSourceOptions {
  readonly retryAfterMs?: number;
  /** Answers of other addresses, by their whole address: robots.txt of another host, say. */
  readonly resources?: Readonly<Record<string, Partial<ResourceRead['facts']> & { readonly text?: string }>>;
  /** Pages that do not come from the graph. */
  readonly page?: (href: string, signal: AbortSignal) => Promise<Partial<PageRead['facts']> | null>;
}

/** The pages of a graph as a browser would read them, without a browser. */
export class GraphSource implements PageSource {
  readonly site: GraphSite;
  readonly asked: string[] = [];
  released = 0;
  active = 0;
  maxActive = 0;
  readonly #graph: Graph;
  readonly #options: GraphSourceOptions;

  constructor(graph: Graph, options: GraphSourceOptions = {}) {
    this.#graph = graph;
    this.#options = options;
    this.site = new GraphSite(graph);
  }

  async page(href: string, signal: AbortSignal, refuse?: RefuseRedirect): Promise<PageRead> {
    this.asked.push(href);
    this.active += 1;
    this.maxActive = Math.max(this.maxActive, this.active);
    try {
      const special = await this.#options.page?.(href, signal);
      if (special) {
        const error = special.final_url === undefined ? null : await refuse?.(special.final_url);
        const refused = error ? { final_url: href, error } : {};
        const facts = { ...factsOf(href), ...special, ...refused };
        return { facts, links: [], content: '', contentHash: null };
      }
      return await this.#follow(href, signal, []);
    } finally {
      this.active -= 1;
    }
  }

  async #follow(
    href: string,
    signal: AbortSignal,
    redirects: { url: string; status: number }[],
  ): Promise<PageRead> {
    const url = new URL(href);
    const answer = this.site.answer(url.pathname + url.search);
    if (answer.delayMs > 0) await delay(20, undefined, { signal });
    const { location } = answer.headers;
    if (location !== undefined)
      return this.#follow(new URL(location, href).href, signal, [
        ...redirects,
        { url: href, status: answer.status },
      ]);
    const type = answer.headers['content-type'] ?? '';
    const facts = {
      ...factsOf(href),
      redirects,
      status: answer.status,
      content_type: type,
      title: answer.title,
      canonical: answer.canonical === null ? null : new URL(answer.canonical, href).href,
      robots: answer.metaRobots === null ? [] : answer.metaRobots.split(', '),
      retry_after_ms: answer.headers['retry-after'] === undefined ? null : (this.#options.retryAfterMs ?? 5),
    };
    if (!type.startsWith('text/html')) {
      const error = { code: 'not_a_page', message: `The address answers with ${type}.` };
      return { facts: { ...facts, error }, links: [], content: '', contentHash: null };
    }
    const link = (isNofollow: boolean) => (to: string) => ({ href: new URL(to, href).href, isNofollow });
    const links = [...answer.links.map(link(false)), ...answer.nofollow.map(link(true))];
    const content = `# ${answer.title}\n\n${answer.text}\n`;
    return { facts, links, content, contentHash: createHash('sha256').update(content).digest('hex') };
  }

  resource({ href }: { readonly href: string }): Promise<ResourceRead> {
    this.asked.push(href);
    const { text: own, ...given } = this.#options.resources?.[href] ?? {};
    const text = own ?? (href === `${SITE}/robots.txt` ? this.#graph.robots : null);
    const answered = given.error ? null : text === null ? 404 : 200;
    const facts = { final_url: href, status: answered, content_type: null, error: null, ...given };
    return Promise.resolve({ text: text ?? '', facts });
  }

  release(): Promise<void> {
    this.released += 1;
    return Promise.resolve();
  }
}

export function factsOf(href: string, status = 200): PageRead['facts'] {
  const { facts } = emptyPage(href, { code: '', message: '' });
  const timing = { fetch_ms: 1, parse_ms: 1, size_bytes: 100 };
  return { ...facts, status, content_type: 'text/html', timing, error: null };
}
