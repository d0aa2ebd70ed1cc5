import { gather } from '../../shared/async/queue.ts';
import type { Bridge } from '../core/services.ts';
import { browserHops, browserLine } from '../toolkit/crawl-source.ts';
import type { Answer, Asked } from './wire.ts';
import type { ReadAsked } from './worker.ts';

/** Names the tabs of a worker to its browsers. */
const WORKER = 'worker';

/** Reads requests in private browsers: each in the one that is least busy. */
export function readInBrowsers(bridges: readonly Bridge[]): ReadAsked {
  const browsers = bridges.map((bridge) => ({
    bridge,
    line: browserLine({ bridge, instance: null }),
    active: 0,
  }));
  return async (asked, signal) => {
    const [browser] = browsers.toSorted((one, other) => one.active - other.active);
    if (browser === undefined) throw new Error('A worker without browsers reads nothing.');
    const pages =
      asked.kind === 'page'
        ? { render: asked.render, format: asked.format, mainContentOnly: asked.main_content_only }
        : ({ render: 'never', format: 'text', mainContentOnly: false } as const);
    const hops = browserHops({
      ...browser,
      ...pages,
      crawl: WORKER,
      call: null,
      allowPrivate: asked.allow_private,
      maxBytes: asked.max_bytes,
    });
    browser.active += 1;
    try {
      return await answerOf(hops, asked, signal);
    } finally {
      browser.active -= 1;
      if (browser.active === 0) void hops.release();
    }
  };
}

async function answerOf(
  hops: ReturnType<typeof browserHops>,
  { kind, href, max_bytes: maxBytes }: Asked,
  signal: AbortSignal,
): Promise<Answer> {
  if (kind === 'resource')
    return hops.resource({ href, maxBytes, signal }, async ({ chunks, done }) => {
      const text = (await gather(chunks)).join('');
      return { kind, text, facts: await done };
    });
  return { kind, ...(await hops.hop(href, signal)) };
}
