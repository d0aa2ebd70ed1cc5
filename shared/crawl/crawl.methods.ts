import { z } from 'zod';
import { unjudged } from '../core/policy/risks.ts';
import { ArticleFacts, Coverage } from '../core/bridge/page.ts';
import { StreamParams } from '../core/bridge/streams.ts';
import { Json } from '../base/json-schema.ts';
import { ExtractRequest } from '../libraries/values/plan.ts';

export const RenderMode = z.enum(['auto', 'always', 'never']);
export type RenderMode = z.infer<typeof RenderMode>;

/** Each is a `ReadFormat` too: a rendered page is read as `read_page` reads it. */
export const CrawlFormat = z.enum(['markdown', 'text', 'html', 'nodes']);
export type CrawlFormat = z.infer<typeof CrawlFormat>;

/** One line of `crawl.page`: links first, then the content. */
export const CrawlLine = z.discriminatedUnion('kind', [
  /** Absolute addresses of links in document order, without duplicates; several lines when many. */
  z.object({
    kind: z.literal('links'),
    links: z.array(z.object({ url: z.string(), text: z.string(), rel: z.string().optional() })),
  }),
  /** A part of the Markdown, text or HTML. */
  z.object({ kind: z.literal('text'), text: z.string() }),
  /** One element, for format `nodes`. */
  z.object({ kind: z.literal('node'), node: Json }),
  z.object({ kind: z.literal('found'), found: Json }),
]);
export type CrawlLine = z.infer<typeof CrawlLine>;

const CrawlPageParams = StreamParams.extend({
  /** Identifies the crawl: its tabs and its politeness are separate. */
  crawl: z.string().max(64),
  url: z.string(),
  render: RenderMode,
  format: CrawlFormat,
  main_content_only: z.boolean(),
  timeout_ms: z.int().min(1),
  /** A longer response is cut off and reported as `response_too_large`. */
  max_bytes: z.int().min(1),
  /** A rendered page may load frames of loopback and private addresses. */
  allow_private: z.boolean(),
  /** Requests records instead of content. */
  extract: z.nullable(ExtractRequest),
});

const CrawlPageResult = z.object({
  final_url: z.string(),
  /** Where a redirect leads. The browser has not requested it: the caller decides. Null without one. */
  moves_to: z.string().nullable(),
  /** IP address of the server that answered; null if unknown. */
  remote_address: z.string().nullable(),
  /** Addresses that redirected here, in order: those within the origin of a rendered page, and a final move. */
  redirects: z.array(z.object({ url: z.string(), status: z.int() })),
  /** Null if nothing answered. */
  status: z.int().nullable(),
  content_type: z.string().nullable(),
  title: z.string(),
  /** `<link rel=canonical>`, absolute. */
  canonical: z.string().nullable(),
  /** `<meta name=robots>` and X-Robots-Tag, lower case. */
  robots: z.array(z.string()),
  rendered: z.boolean(),
  /** Seconds or date of Retry-After, in milliseconds from now. */
  retry_after_ms: z.int().min(0).nullable(),
  timing: z.object({ fetch_ms: z.number(), parse_ms: z.number(), size_bytes: z.int() }),
  /** Why there is no content, or not all. Codes of `shared/base/errors.ts`. */
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  coverage: z.array(Coverage).optional(),
  /** With `main_content_only`, where main content was found. */
  article: ArticleFacts.optional(),
});
export type CrawlPageResult = z.infer<typeof CrawlPageResult>;

/** Addresses that one `crawl.begin` takes. */
export const CRAWL_BEGIN_URLS = 100;
export const CRAWL_RISKS = ['crawl', 'read'] as const;
/** An address, and those that it redirects to. */
const CRAWLS = { judged: 'handler', risks: CRAWL_RISKS } as const;

export const methods = {
  /**
   * Asks the rules, and a person if they say so, whether a crawl may begin at these addresses. Requests
   * nothing. Later pages are judged one by one, without asking anyone.
   */
  'crawl.begin': {
    policy: CRAWLS,
    params: z.object({
      urls: z.array(z.string()).max(CRAWL_BEGIN_URLS),
      /** See `crawl.page`. */
      allow_private: z.boolean(),
    }),
    result: z.object({}),
  },
  /** Fetches or renders one page; failures of the page are in the result, not thrown. */
  'crawl.page': { policy: CRAWLS, params: CrawlPageParams, result: CrawlPageResult },
  /** Text of robots.txt or a sitemap (gzip is undone). */
  'crawl.resource': {
    policy: CRAWLS,
    params: StreamParams.extend({
      url: z.string(),
      timeout_ms: z.int().min(1),
      max_bytes: z.int().min(1),
      /** Redirects to loopback and private addresses are followed. */
      allow_private: z.boolean(),
    }),
    result: z.object({
      final_url: z.string(),
      status: z.int().nullable(),
      content_type: z.string().nullable(),
      error: z.object({ code: z.string(), message: z.string() }).nullable(),
    }),
  },
  /** Closes the tabs of a crawl. */
  'crawl.release': unjudged(z.object({ crawl: z.string().max(64) }), z.object({})),
} as const;
