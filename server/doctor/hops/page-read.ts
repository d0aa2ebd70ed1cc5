import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { toSpillwayError } from '../../../shared/errors.ts';
import type { Bridge, BrowserState } from '../../core/services.ts';
import type { DoctorContext } from '../context.ts';
import { fail, pass, type Hop } from '../hop.ts';
import { connectedBrowsers } from './worker.ts';

const STEP_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * A page of our own, served on loopback for this one reading, opens in a background tab, is read
 * and is closed. Extensions may not read `about:blank`, so it has to be a real page.
 */
export const pageReadHop: Hop<DoctorContext> = {
  id: 'page_read',
  title: 'Page read',
  timeoutMs: 20_000,
  async run(context, signal) {
    const bridge = context.bridge();
    const page = await servePage();
    try {
      const evidence: string[] = [];
      for (const browser of connectedBrowsers(context)) {
        const startedAt = performance.now();
        const text = await readOnce(bridge, { browser, url: page.url, signal });
        if (!text.includes(page.proof))
          return fail(
            `${browser.facts.name} read ${text.length} characters of ${page.url}, but not what the page says.`,
            'Check whether a proxy or another extension changes pages on 127.0.0.1.',
          );
        const tookMs = Math.round(performance.now() - startedAt);
        evidence.push(`${browser.facts.name} opened, read and closed a background tab in ${tookMs} ms`);
      }
      return pass(evidence);
    } finally {
      page.close();
    }
  },
};

interface Reading {
  readonly browser: BrowserState;
  readonly url: string;
  readonly signal: AbortSignal;
}

async function readOnce(bridge: Bridge, { browser, url, signal }: Reading): Promise<string> {
  const options = { call: null, signal, idleTimeoutMs: STEP_TIMEOUT_MS };
  const { tab } = await bridge.request(
    browser.id,
    'page.navigate',
    { tab_id: null, action: 'goto', url, wait_until: 'load', timeout_ms: STEP_TIMEOUT_MS },
    options,
  );
  try {
    const reading = bridge.stream(
      browser.id,
      'page.read',
      {
        tab_id: tab.id,
        caller: { session: 'doctor', name: 'doctor' },
        format: 'text',
        selector: null,
        main_content_only: false,
        include_links: false,
        include_hidden: false,
      },
      options,
    );
    let text = '';
    for await (const chunk of reading.chunks) text += chunk;
    await reading.done;
    return text;
  } finally {
    // Without the hop's signal: the tab is closed even when the reading was given up.
    await bridge
      .request(browser.id, 'tabs.close', { tab_id: tab.id }, { call: null, idleTimeoutMs: CLOSE_TIMEOUT_MS })
      .catch((thrown: unknown) => toSpillwayError(thrown));
  }
}

/** One page on a free loopback port whose text cannot be guessed. */
async function servePage() {
  const proof = `spillway ${randomBytes(8).toString('hex')}`;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', connection: 'close' });
    response.end(`<!doctype html><title>Spillway doctor</title><p>${proof}</p>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    proof,
    close: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
}
