import browser from 'webextension-polyfill';
import { VERSION } from '../../shared/version.ts';
import { createNetworkHandlers } from '../tools/network/handler.ts';
import { createCrawlHandlers } from '../tools/crawl/handler.ts';
import { createExtractHandlers } from '../tools/extract_data/handler.ts';
import { createEvidenceHandlers } from '../tools/oc_evidence_bundle/handler.ts';
import { createConsoleHandlers } from '../tools/console/handler.ts';
import { createSkeletonHandlers } from '../tools/html_skeleton/handler.ts';
import { createScreenshotHandlers } from '../tools/screenshot/handler.ts';
import { cancelMemory } from '../background/chromium/debugger/cancel-memory.ts';
import { DebuggerSessions } from '../background/chromium/debugger/sessions.ts';
import { createNavigate } from '../tools/navigate/handler.ts';
import { createReadPage } from '../tools/read_page/handler.ts';
import * as tabs from '../tools/tabs/handler.ts';
import { echo, flood } from './bridge-handlers.ts';
import type { Handler, Handlers, WorkerServices } from '../background/handler.ts';
import { createPageChannels } from '../background/pages/channels.ts';
import { createExtractChannels } from '../background/pages/extract-channels.ts';
import { browserFacts } from '../background/profile.ts';
import type { ClientName } from '../background/servers.ts';
import { reconnects } from '../background/session.ts';

/** Made once, while the worker starts: it listens for content scripts and debugger events. */
const services: WorkerServices = {
  channels: createPageChannels(),
  extractChannels: createExtractChannels(),
  debuggers: new DebuggerSessions(cancelMemory),
};
void services.debuggers.reconcile();

const workerStartedAt = Date.now();

const describe: Handler<'browser.describe'> = async () => ({
  browser: await browserFacts(),
  extension_version: VERSION,
  tabs: (await browser.tabs.query({})).length,
  worker_started_at: workerStartedAt,
  reconnects: await reconnects(),
});

/** The debugger's attachments: dropped when the bridge goes, allowed again in the popup. */
export const debuggers = services.debuggers;

/**
 * Every method's handler for one server; `setClients` keeps the names of that server's clients, and
 * `closed` is aborted when its channel closes: what it opened is closed then.
 */
export function createHandlers(
  setClients: (clients: readonly ClientName[]) => void,
  closed: AbortSignal,
): Handlers {
  return {
    'bridge.echo': echo,
    'bridge.flood': flood,
    'browser.describe': describe,
    'server.clients': ({ clients }) => {
      setClients(clients);
      return Promise.resolve({});
    },
    'tabs.list': tabs.list,
    'tabs.get': tabs.get,
    'tabs.active': tabs.active,
    'tabs.open': tabs.open,
    'tabs.close': tabs.close,
    'tabs.activate': tabs.activate,
    'page.navigate': createNavigate(services),
    'page.read': createReadPage(services.channels),
    ...createNetworkHandlers(services),
    ...createCrawlHandlers(services, closed),
    ...createExtractHandlers(services),
    ...createEvidenceHandlers(services),
    ...createConsoleHandlers(services),
    ...createScreenshotHandlers(services),
    ...createSkeletonHandlers(services),
  };
}
