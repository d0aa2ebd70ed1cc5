import type { MethodParams, MethodResult } from '../../../shared/core/bridge/methods.ts';
import { CrawlLine } from '../../../shared/crawl/crawl.methods.ts';
import { AddressGuard, followRedirects } from '../../../server/crawl/redirects.ts';
import { atEndOfFile } from '../../support/end-of-file.ts';
import { lendBrowser } from '../../support/worker/browser.ts';
import { receiveStream } from '../../support/worker/stream.ts';
import { TestHost, type HostPort } from '../../support/worker/test-host.ts';

type LentBrowser = Awaited<ReturnType<typeof lendBrowser>>;
type PageParams = MethodParams<'crawl.page'>;

export interface CrawledPage {
  readonly result: MethodResult<'crawl.page'>;
  readonly lines: readonly CrawlLine[];
  readonly text: string;
  readonly links: readonly {
    readonly url: string;
    readonly text: string;
    readonly rel?: string | undefined;
  }[];
  readonly sealed: boolean;
}

const CREDIT = 4 * 1024 * 1024;

/** The built extension in a browser without other control, and calls of `crawl.*` to its worker. */
export class CrawlRig {
  readonly host: TestHost;
  readonly browser: LentBrowser;
  readonly port: HostPort;
  #stream = 0;

  private constructor(host: TestHost, browser: LentBrowser, port: HostPort) {
    this.host = host;
    this.browser = browser;
    this.port = port;
  }

  static async start(): Promise<CrawlRig> {
    const host = await TestHost.listen();
    const browser = await lendBrowser({ host });
    const port = await host.port(1);
    port.open(1);
    atEndOfFile(() => host.close());
    return new CrawlRig(host, browser, port);
  }

  begin(
    params: Partial<PageParams> & { readonly url: string },
    channel = 1,
  ): { id: number; page: Promise<CrawledPage> } {
    this.#stream += 1;
    const stream = this.#stream;
    const received = receiveStream(this.port, { stream, channel });
    const { id, result } = this.port.start(
      'crawl.page',
      { ...DEFAULTS, ...params, stream, credit: CREDIT },
      channel,
    );
    const page = result.then(async (answer) => {
      const { text, sealed } = await received;
      return pageOf(answer as MethodResult<'crawl.page'>, text, sealed);
    });
    received.catch(() => undefined);
    return { id, page };
  }

  /** One page, by redirects as the server follows them. */
  async page(url: string, params: Partial<PageParams> = {}): Promise<CrawledPage> {
    const { answer, redirects, error } = await followRedirects(url, {
      guard: new AddressGuard([url]),
      ask: (at) => this.begin({ ...params, url: at }).page,
      factsOf: ({ result }) => result,
    });
    const { result } = answer;
    return { ...answer, result: { ...result, redirects: [...redirects], error: error ?? result.error } };
  }

  async resource(
    url: string,
    more: Partial<Pick<MethodParams<'crawl.resource'>, 'timeout_ms' | 'max_bytes' | 'allow_private'>> = {},
  ): Promise<MethodResult<'crawl.resource'> & { text: string }> {
    this.#stream += 1;
    const stream = this.#stream;
    const received = receiveStream(this.port, { stream });
    const params = {
      timeout_ms: ANSWER_MS,
      max_bytes: 1_000_000,
      allow_private: true,
      ...more,
      url,
      stream,
      credit: CREDIT,
    };
    const result = await this.port.call('crawl.resource', params);
    return { ...result, text: (await received).text };
  }

  evaluateInWorker(expression: string): Promise<unknown> {
    return this.browser.scope.evaluate(expression);
  }
}

/** By then any machine has read a readable page. */
const ANSWER_MS = 40_000;

const DEFAULTS = {
  crawl: 'test-crawl',
  render: 'never',
  format: 'markdown',
  timeout_ms: ANSWER_MS,
  max_bytes: 16 * 1024 * 1024,
  main_content_only: false,
  allow_private: true,
  extract: null,
} as const;

function pageOf(result: MethodResult<'crawl.page'>, ndjson: string, sealed: boolean): CrawledPage {
  const lines = ndjson
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => CrawlLine.parse(JSON.parse(line)));
  return {
    result,
    lines,
    sealed,
    text: lines.map((line) => (line.kind === 'text' ? line.text : '')).join(''),
    links: lines.flatMap((line) => (line.kind === 'links' ? line.links : [])),
  };
}
