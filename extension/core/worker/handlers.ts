import { echo, flood } from './bridge-handlers.ts';
import type { Handler, Handlers, WorkerServices } from '../handler.ts';
import browser from 'webextension-polyfill';
import { VERSION } from '../../../shared/base/version.ts';
import { ActDebuggers } from '../../act/worker/act-debugger.ts';
import { hasSiteAccess, browserFacts, reconnects } from '../profile.ts';
import { cancelMemory } from '../../platform/chromium/debugger/cancel-memory.ts';
import { heldMemory } from '../../platform/chromium/debugger/held-input.ts';
import { ActLeases } from '../../act/worker/act-leases.ts';
import { Dialogs } from '../../act/worker/dialogs.ts';
import { openFrames } from '../../act/worker/foreign-frames.ts';
import { TabDownloads } from '../../files/worker/download-watch.ts';
import { TabOpenings } from '../../tabs/worker/openings.ts';
import { DebuggerSessions } from '../../platform/chromium/debugger/sessions.ts';
import { TabGroups, lastFocusedWindow } from '../../platform/chromium/tab-groups.ts';
import { createOwnerGuard, LentTabs } from '../../tabs/worker/lent.ts';
import { TabOwners } from '../../tabs/worker/owners.ts';
import { atStake, RunningUploads } from '../../tabs/worker/stake.ts';
import { isLoan } from '../../people/worker/grants.ts';
import { createToolHandlers } from './handlers.generated.ts';
import { TabRequests } from '../navigation/tab-requests.ts';
import { FocusEmulation } from '../../platform/chromium/debugger/focus.ts';
import { createAuditChannels, createExtractChannels, createPageChannels } from '../pages/channels.ts';
import { ChosenFiles } from '../../people/worker/chosen-files.ts';
import { Desk } from '../../people/worker/desk.ts';
import { rememberAsRule } from '../../people/worker/decisions.ts';
import { PolicyStore } from '../../people/worker/store.ts';
import { shareRefs, questionHandlers } from '../../people/worker/methods.ts';
import { shownPageTool } from '../../inspect/worker/page-tools/pages.ts';
import { shownElements } from '../../people/worker/shown-elements.ts';
import { mayHavePicture, targetPicture } from '../../people/worker/target-picture.ts';
import { endOf } from '../../people/worker/takeover/takeovers.ts';
import { takeoverHandlers } from '../../people/worker/takeover/methods.ts';
import { lendTabs, PersonTabs } from '../person-tabs.ts';
import { RefBook } from '../pages/ref-book.ts';
import { ScrollTurns } from '../pages/tab-turns.ts';
import {
  createDialogGuard,
  createSourceGuard,
  createTakeoverGuard,
  createWindowGuard,
} from '../link/call-guards.ts';
import type { ChannelParts } from '../link/servers.ts';

/** Created once, as the worker starts: it listens for content scripts and debugger events. */
const sessions = new DebuggerSessions(cancelMemory, heldMemory);
const focus = new FocusEmulation(sessions);
const downloads = new TabDownloads();
const personTabs = new PersonTabs();
lendTabs(personTabs, sessions);
const owners = new TabOwners(new TabGroups());
const openings = new TabOpenings();
const dialogs = new Dialogs(sessions);
const uploads = new RunningUploads();
const stakeOf = (tabId: number): ReturnType<typeof atStake> => atStake(tabId, { uploads, dialogs });
const services: Omit<WorkerServices, 'lent'> = {
  channels: createPageChannels(),
  extractChannels: createExtractChannels(),
  auditChannels: createAuditChannels(),
  debuggers: sessions,
  dialogs,
  leases: new ActLeases(),
  owners,
  openings,
  focus,
  acting: new ActDebuggers(sessions, focus, downloads),
  downloads,
  personTabs,
  chosen: new ChosenFiles(),
  // Agents get nothing from a tab while a person has taken it over.
  requests: new TabRequests((tabId) => owners.isOwned(tabId) && !personTabs.has(tabId)),
  turns: new ScrollTurns(),
  refBook: new RefBook(),
};
void sessions.reconcile(openFrames);

export const rules = new PolicyStore();

export const desk = new Desk({
  debugging: cancelMemory,
  chosen: services.chosen,
  personTabs,
  remember: (question) => rememberAsRule(rules, question),
  // Before a tab is lent, no script of an act runs there.
  elementsOf: async (question) =>
    isLoan(question) ? {} : ((await shownPageTool(question)) ?? shownElements(question, services)),
  shareRefs: (sessions) => shareRefs(sessions, services),
  atStake: stakeOf,
  pictureOf: (question) =>
    mayHavePicture(question) && !isLoan(question)
      ? (isAsked) => targetPicture(question, isAsked, { ...services, rules })
      : null,
});

/** A person's tabs that agents use. */
export const lent = new LentTabs({
  grants: desk.questions.grants,
  owners,
  debuggers: sessions,
  openings,
  personTabs,
  atStake: stakeOf,
  endTakeover: async (tabId, { server, agent }) => {
    const takeover = desk.takeovers.of(tabId);
    if (takeover?.server === server && takeover.caller.name === agent)
      await desk.takeovers.end(takeover.id, endOf('withdrawn'));
  },
});

const workerStartedAt = Date.now();

async function windowSize(): Promise<{ window?: { width: number; height: number } }> {
  const id = await lastFocusedWindow();
  const { width, height } = id === null ? {} : await browser.windows.get(id);
  return width === undefined || height === undefined ? {} : { window: { width, height } };
}

const describeBrowser: Handler<'browser.describe'> = async () => ({
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

/** Whose tabs are, and the debugger's attachments: dropped when the bridge disconnects, allowed again in the popup. */
export { owners };
export const { debuggers } = services;

/**
 * After `AgentControl` in `worker.ts`, and before the rules in `dispatch.ts`: source, window, owner, takeover, dialog. No call
 * reaches the approval window, a tab that is neither its agent's nor lent, or one that a person has taken over, or waits
 * for a page whose dialog awaits an answer.
 */
export const guard = createSourceGuard(
  async (tabId) => (await browser.tabs.get(tabId).catch(() => null))?.url ?? '',
  createWindowGuard(
    (tabId) => desk.window.isTabOf(tabId),
    createOwnerGuard({ owners, lent }, createTakeoverGuard(personTabs, createDialogGuard(dialogs))),
  ),
);

/** Every method's handler for one server. Everything it opened is closed with its channel. */
export function createHandlers({ setClients, policy, closed, server }: ChannelParts): Handlers {
  const sessionEnds = new Set<(session: string) => void>();
  return {
    'bridge.echo': echo,
    'bridge.flood': flood,
    'browser.describe': describeBrowser,
    'server.clients': ({ clients: given }) => {
      // As calls name them.
      const clients = given.map((one) => ({ ...one, name: one.name.trim() || 'agent' }));
      setClients(clients);
      const isThere = (agent: string): boolean => clients.some(({ name }) => name === agent);
      void desk.questions.grants.end(
        ({ session, ...grant }) =>
          isLoan(grant) && session === null && grant.server === server.instance && !isThere(grant.agent),
      );
      return Promise.resolve({});
    },
    'session.end': ({ session }) => {
      for (const end of sessionEnds) end(session);
      void owners.end(server.instance, session);
      void desk.questions.grants.end((grant) => isLoan(grant) && grant.session === session);
      return Promise.resolve({});
    },
    'server.policy': (rules) => {
      policy.tighten(rules);
      return Promise.resolve({});
    },
    ...questionHandlers(desk, { server, closed }),
    ...takeoverHandlers(desk.takeovers, { ...services, closed, server }),
    ...createToolHandlers({ ...services, lent, closed, sessionEnds, server }),
  };
}
