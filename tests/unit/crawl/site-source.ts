import { createHash } from 'node:crypto';
import {
  emptyPage,
  type PageRead,
  type PageSource,
  type ResourceRead,
} from '../../../server/toolkit/crawl-source.ts';
import { SITE } from './graph-source.ts';

export interface SitePage {
  readonly title: string;
  readonly text: string;
  /** Addresses, absolute or relative to the page. Their texts are in the content, as on real pages. */
  readonly links: readonly string[];
}

/** Null is a 404. */
export type Site = (url: URL) => SitePage | null;

/** Reads pages of a function, as a browser would read them. */
export class SiteSource implements PageSource {
  readonly asked: string[] = [];
  readonly #site: Site;

  constructor(site: Site) {
    this.#site = site;
  }

  async page(href: string): Promise<PageRead> {
    this.asked.push(href.replace(SITE, ''));
    const { facts } = emptyPage(href, { code: '', message: '' });
    const page = this.#site(new URL(href));
    if (page === null)
      return { facts: { ...facts, status: 404, error: null }, links: [], content: '', contentHash: null };
    const links = page.links.map((to) => ({
      href: new URL(to, href).href,
      text: `Go to ${to.replaceAll(/[^a-z\d]+/gi, ' ').trim()}`,
      isNofollow: false,
    }));
    const list = links.map((link) => `- [${link.text}](${link.href})`).join('\n');
    const content = `# ${page.title}\n\n${page.text}\n\n${list}\n`;
    const title = page.title;
    const contentHash = createHash('sha256').update(content).digest('hex');
    return { facts: { ...facts, status: 200, title, error: null }, links, content, contentHash };
  }

  resource<T>(request: { readonly href: string }, use: (read: ResourceRead) => Promise<T>): Promise<T> {
    const facts = { final_url: request.href, status: 404, content_type: null, error: null };
    return use({ chunks: nothing(), done: Promise.resolve(facts) });
  }

  release(): Promise<void> {
    return Promise.resolve();
  }
}

async function* nothing(): AsyncGenerator<string> {
  yield '';
}
