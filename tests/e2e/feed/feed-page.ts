import type { BrowserContext, Page } from 'playwright';
import type { FeedEvent } from '../../../shared/bridge/feed.ts';
import type {
  FeedMessage,
  FeedQuery,
  FeedServer,
  TimelinePage,
} from '../../../extension/panel/feed-protocol.ts';
import { openPanelTab } from '../panel/panel-rig.ts';

/** What a page of the panel has got, as this test's own client of the port keeps it. */
interface Got {
  servers: readonly FeedServer[];
  events: { readonly server: string; readonly event: FeedEvent }[];
  messages: number;
  connections: number;
  hasAcks: boolean;
  ack: () => void;
  ask: (query: FeedQuery) => Promise<object>;
}
declare global {
  interface Window {
    feed: Got;
  }
}

/** A client of the port, in the page: begins again with its cursors when the worker has ended. */
function connectFeed(hasAcks: boolean): void {
  const cursors: Record<string, { seq: number; lines: number }> = {};
  const waiting = new Map<number, { resolve: (value: object) => void; reject: (error: Error) => void }>();
  const unseen: string[] = [];
  let asked = 0;
  let port: chrome.runtime.Port;
  const feed: Got = {
    servers: [],
    events: [],
    messages: 0,
    connections: 0,
    hasAcks,
    ack: () => {
      for (const server of unseen.splice(0)) port.postMessage({ type: 'seen', server });
    },
    ask: (query) =>
      new Promise((resolve, reject) => {
        waiting.set((asked += 1), { resolve, reject });
        port.postMessage({ type: 'query', id: asked, query });
      }),
  };
  const take = (message: FeedMessage): void => {
    if (message.type === 'servers') feed.servers = message.servers;
    else if (message.type === 'answer') waiting.get(message.id)?.resolve(message.result);
    else if (message.type === 'failure') waiting.get(message.id)?.reject(new Error(message.code));
    else if (message.type === 'events') {
      feed.messages += 1;
      feed.events.push(...message.events.map((event) => ({ server: message.server, event })));
      cursors[message.server] = message.cursor;
      unseen.push(message.server);
      if (feed.hasAcks) feed.ack();
    }
  };
  const connect = (): void => {
    feed.connections += 1;
    port = chrome.runtime.connect({ name: 'feed' });
    port.onMessage.addListener(take);
    port.onDisconnect.addListener(connect);
    port.postMessage({ type: 'begin', cursors });
  };
  window.feed = feed;
  connect();
}

/** A page of the panel, in a tab: it shows what the side panel shows. */
export class FeedPageRig {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(context: BrowserContext, { hasAcks = true } = {}): Promise<FeedPageRig> {
    const page = await openPanelTab(context);
    await page.evaluate(connectFeed, hasAcks);
    return new FeedPageRig(page);
  }

  servers(): Promise<readonly FeedServer[]> {
    return this.page.evaluate(() => window.feed.servers);
  }

  events(): Promise<Got['events']> {
    return this.page.evaluate(() => window.feed.events);
  }

  /** Calls of a tool that have ended, each as its line came. */
  async ended(tool: string): Promise<readonly { readonly id: string; readonly server: string }[]> {
    return (await this.events()).flatMap(({ server, event }) =>
      event.type === 'call' && event.phase === 'ended' && event.line['tool'] === tool
        ? [{ id: event.line.id, server }]
        : [],
    );
  }

  async timeline(query: Omit<Extract<FeedQuery, { type: 'timeline' }>, 'type'> = {}): Promise<TimelinePage> {
    const answer = await this.ask({ type: 'timeline', ...query });
    return answer as TimelinePage;
  }

  ask(query: FeedQuery): Promise<object> {
    return this.page.evaluate((asked) => window.feed.ask(asked), query);
  }
}
