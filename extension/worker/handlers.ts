import { echo, flood } from './bridge-handlers.ts';
import type { Handler, Handlers, WorkerServices } from '../background/handler.ts';
import browser from 'webextension-polyfill';
import { VERSION } from '../../shared/version.ts';
import { ActDebuggers } from '../background/act/act-debugger.ts';
import { hasSiteAccess, browserFacts, reconnects } from '../background/profile.ts';
import { cancelMemory } from '../background/chromium/debugger/cancel-memory.ts';
import { heldMemory } from '../background/chromium/debugger/held-input.ts';
import { ActLeases } from '../background/act/act-leases.ts';
import { Dialogs } from '../background/act/dialogs.ts';
import { TabDownloads } from '../background/act/downloads.ts';
import { TabOpenings } from '../background/act/openings.ts';
import { DebuggerSessions } from '../background/chromium/debugger/sessions.ts';
import { TabGroups, lastFocusedWindow } from '../background/chromium/tab-groups.ts';
import { createToolHandlers } from './handlers.generated.ts';
import { TabRequests } from '../background/navigation/tab-requests.ts';
import { FocusEmulation } from '../background/chromium/debugger/focus.ts';
import {
  createAuditChannels,
  createExtractChannels,
  createPageChannels,
} from '../background/pages/channels.ts';
import { Desk } from '../background/questions/desk.ts';
import { rememberAsRule } from '../background/questions/decisions.ts';
import { PolicyStore } from '../background/policy/store.ts';
import { shareRefs, questionHandlers } from '../background/questions/methods.ts';
import { shownPageTool } from '../background/pages/page-tools.ts';
import { shownElements } from '../background/questions/shown-elements.ts';
import { mayHavePicture, targetPicture } from '../background/questions/target-picture.ts';
import { takeoverHandlers } from '../background/takeover/methods.ts';
import { lendTabs, PersonTabs } from '../background/takeover/person-tabs.ts';
import { RefBook } from '../background/pages/ref-book.ts';
import { ScrollTurns } from '../background/pages/scroll-turns.ts';
import { createDialogGuard, createTakeoverGuard, createWindowGuard } from '../background/call-guards.ts';
import type { ChannelParts } from '../background/servers.ts';

/** Created once, as the worker starts: it listens for content scripts and debugger events. */
const sessions = new DebuggerSessions(cancelMemory, heldMemory);
const focus = new FocusEmulation(sessions);
const downloads = new TabDownloads();
const personTabs = new PersonTabs();
lendTabs(personTabs, sessions);
const services: WorkerServices = {
  channels: createPageChannels(),
  extractChannels: createExtractChannels(),
  auditChannels: createAuditChannels(),
  debuggers: sessions,
  dialogs: new Dialogs(sessions),
  leases: new ActLeases(),
  groups: new TabGroups(),
  openings: new TabOpenings(),
  focus,
  acting: new ActDebuggers(sessions, focus, downloads),
  downloads,
  personTabs,
  requests: new TabRequests(),
  turns: new ScrollTurns(),
  refBook: new RefBook(),
};
void sessions.reconcile();

export const rules = new PolicyStore();

export const desk = new Desk({
  debugging: cancelMemory,
  personTabs,
  remember: (question) => rememberAsRule(rules, question),
  elementsOf: async (question) => (await shownPageTool(question)) ?? shownElements(question, services),
  shareRefs: (sessions) => shareRefs(sessions, services),
  pictureOf: (question) =>
    mayHavePicture(question) ? () => targetPicture(question, { ...services, rules }) : null,
});

const workerStartedAt = Date.now();

async function windowSize(): Promise<{ window?: { width: number; height: number } }> {
  const id = await lastFocusedWindow();
  const { width, height } = id === null ? {} : await browser.windows.get(id);
  return width === undefined || height === undefined ? {} : { window: { width, height } };
}

const describe: Handler<'browser.describe'> = async () => ({
  browser: await browserFacts(),
  extension_version: VERSION,
  tabs: (await browser.tabs.query({})).length,
  ...(await windowSize()),
  worker_started_at: workerStartedAt,
  reconnects: await reconnects(),
  debugging_cancelled: await cancelMemory.isCancelled(),
  has_site_access: await hasSiteAccess(),
});

/** Access to pages, for a person's own acts. */
export const pages: Pick<WorkerServices, 'channels' | 'refBook' | 'personTabs' | 'leases'> = services;

/** Tab groups of sessions, and the debugger's attachments: dropped when the bridge disconnects, allowed again in the popup. */
export const { groups, debuggers } = services;

/**
 * After `AgentControl` in `worker.ts`, and before the rules in `dispatch.ts`: window, takeover, dialog. No call reaches
 * the approval window or a tab that a person has taken over, or waits for a page whose dialog awaits an answer.
 */
export const guard = createWindowGuard(
  (tabId) => desk.window.isTabOf(tabId),
  createTakeoverGuard(personTabs, createDialogGuard(services.dialogs)),
);

/** Every method's handler for one server. Everything it opened is closed with its channel. */
export function createHandlers({ setClients, policy, closed, server }: ChannelParts): Handlers {
  const sessionEnds = new Set<(session: string) => void>();
  return {
    'bridge.echo': echo,
    'bridge.flood': flood,
    'browser.describe': describe,
    'server.clients': ({ clients }) => {
      setClients(clients);
      return Promise.resolve({});
    },
    'session.end': ({ session }) => {
      for (const end of sessionEnds) end(session);
      void groups.end(server.instance, session);
      return Promise.resolve({});
    },
    'server.policy': (rules) => {
      policy.tighten(rules);
      return Promise.resolve({});
    },
    ...questionHandlers(desk, { server, closed }),
    ...takeoverHandlers(desk.takeovers, { ...services, closed, server }),
    ...createToolHandlers({ ...services, closed, sessionEnds, server }),
  };
}
