import '../ports/zod-setup.ts';
import browser from 'webextension-polyfill';
import type { HostHello } from '../../../shared/core/bridge/hello.ts';
import { HOST_NAME } from '../../../shared/core/bridge/wire.ts';
import { VERSION } from '../../../shared/base/version.ts';
import type { Language } from '../../ui/words/locale.ts';
import { onLanguage } from '../../ui/words/setting.ts';
import { badgeOf, showBadge } from './badge.ts';
import { messageOfFault, HostLink } from '../link/host-link.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { cancelMemory, onCancelMemory } from '../../platform/chromium/debugger/cancel-memory.ts';
import { createHandlers, debuggers, desk, guard, lent, owners, pages, rules } from './handlers.ts';
import { lastError, isOwnPage } from '../../platform/chromium/members.ts';
import { endHolds, heldTabs, onHeldTabs } from '../../platform/chromium/debugger/tab-holds.ts';
import { ensureOffscreen, OFFSCREEN_PORT, keepAlive } from '../../platform/chromium/offscreen.ts';
import { Pointing } from '../../point/worker/pointing.ts';
import { Recording } from '../../point/worker/recording.ts';
import { Servers } from '../link/servers.ts';
import { Privacy } from '../../people/worker/privacy.ts';
import { PolicyGuard } from '../../people/worker/guard.ts';
import { AgentControl, createAgentGuard } from '../../people/worker/agent-control.ts';
import { FeedPorts } from '../../activity/worker/feed-ports.ts';
import { APPROVE_PORT } from '../../people/protocol.ts';
import { onNoticeClick, SidePanels } from '../../people/worker/ask-window.ts';
import { POPUP_PORT, type PopupState } from '../../install/popup/protocol.ts';
import { PopupPorts, PanelPorts } from './page-ports.ts';
import type { GiveRequest, PanelRequest, PickRequest, RecordRequest } from '../../people/requests-port.ts';
import {
  hasSiteAccess,
  onSiteAccess,
  browserFacts,
  rememberCommand,
  setLabel,
  spillwayCommand,
  browserTag,
  workerHello,
  countConnect,
} from '../profile.ts';
import { clientAnswers, countPanels } from '../../people/worker/desk.ts';
import { FEED_PORT, PANEL_PORT } from '../../ui/frame/protocol.ts';
import { GiveMenu } from '../../tabs/worker/give-menu.ts';
import { frontTab } from '../person-tabs.ts';
import { isLoan } from '../../people/worker/grants.ts';
import { followReplacedTabs } from '../tabs/tab-info.ts';

/** Pages where people install extensions. A program that starts a browser with the extension shows another page. */
const INSTALLING = /^[a-z]+:\/\/extensions\b|^https:\/\/chromewebstore\.google\.com\//;

/** Opens the welcome page after a person has installed the extension. */
async function welcome(): Promise<void> {
  const [front] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
  if (INSTALLING.test(front?.url ?? '')) await browser.tabs.create({ url: 'install/welcome/welcome.html' });
}

/*
 * The service worker. The browser may end it at any moment and start it again for any event, so every listener is added
 * while this module runs, and all lasting state is in `storage`.
 */

const agents = new AgentControl(() => {
  void feeds.showControls();
  void popups.publish();
}, endHolds);

const privacy = new Privacy();

const servers = new Servers({
  send: (channel, message) => link.send(channel, message),
  handlers: createHandlers,
  guard: (clients) => createAgentGuard({ control: agents, clients, next: guard }),
  policy: (server) =>
    new PolicyGuard({ store: rules, approvals: desk.questions, server, isOwn: owners.isOfSession, privacy }),
  onChange: refresh,
  facts: browserFacts,
  tellHost: (facts) => {
    const { state } = link;
    if (state.kind === 'connected' && state.host.takes_browser === true)
      link.send(0, { type: 'browser', browser: facts });
  },
});

/** Servers that go on come back within this time to a host that starts. */
const RETURN_MS = 10_000;

let returning: ReturnType<typeof setTimeout> | undefined;

const link: HostLink = new HostLink({
  connect: () => browser.runtime.connectNative(HOST_NAME),
  hello: workerHello,
  lastError,
  onState: (state) => {
    // Before any of its servers is admitted.
    rules.setPrivate(state.kind === 'connected' && state.host.private === true);
    clearTimeout(returning);
    if (state.kind === 'connected') {
      void connected(state.host);
      returning = setTimeout(() => void owners.keepOf(servers.instances()), RETURN_MS);
    }
    refresh();
  },
  onOpen: (open) => {
    privacy.listen();
    servers.open(open);
  },
  onClose: ({ channel, reason }) => {
    const before = servers.instances();
    servers.close(channel, reason);
    // Others may not have come back yet.
    void owners.keepOf(servers.instances(), before);
  },
  onMessage: (channel, message) => servers.receive(channel, message),
  onDown: (fault) => {
    const message = messageOfFault(fault);
    servers.closeAll(message);
    debuggers.dropAll(new SpillwayError('browser_disconnected', message));
  },
});

/** As the host of this connection has reported them. */
let entries: PopupState['entries'] = [];

const ownState = async (): Promise<PopupState> => ({
  link: link.state,
  servers: servers.summaries(),
  stopped: await agents.stopped(),
  front: await front(),
  browser: await browserFacts(),
  tag: await browserTag(),
  command: await spillwayCommand(),
  entries,
  isDebuggingCancelled: await cancelMemory.isCancelled(),
  questions: desk.waiting,
  asks: await rules.asks(),
  clientAnswers: await clientAnswers.areAllowed(),
  version: VERSION,
});

async function changeSetting(
  request: Exclude<PanelRequest, PickRequest | RecordRequest | GiveRequest | { type: 'revoke' }>,
): Promise<void> {
  if (request.type === 'asks') await rules.setAsks(request.asks);
  else if (request.type === 'client_answers') await clientAnswers.allow(request.areAllowed);
  else if (request.type === 'label') {
    await setLabel(request.label);
    await servers.renamed();
  } else if (request.type === 'retry') link.wake();
  else await cancelMemory.allow();
  refresh();
}

/** The front tab, if a person can lend it. */
async function front(): Promise<PopupState['front']> {
  const tab = await frontTab(pages.personTabs).catch(() => null);
  // Without questions, every tab is the agents' already.
  if (tab === null || owners.isOwned(tab.tabId) || (await rules.rules()).asksNobody) return null;
  const loans = (await desk.questions.grants.held()).filter(
    (grant) => isLoan(grant) && grant.tab_id === tab.tabId && grant.scope === 'task',
  );
  return { lentTo: loans.map(({ server, agent }) => ({ server: server ?? '', agent })) };
}

async function giveFront({ server, agent }: GiveRequest, where: 'popup' | 'side_panel'): Promise<void> {
  const { tabId } = await frontTab(pages.personTabs);
  if (!owners.isOwned(tabId)) await lent.give(tabId, { server, agent, session: null }, where);
  refresh();
}

/** A tab that cannot be given is not offered. */
const give = (request: GiveRequest, where: 'popup' | 'side_panel'): Promise<void> =>
  giveFront(request, where).catch(() => undefined);

const popups: PopupPorts = new PopupPorts({
  state: ownState,
  onRequest: (request) => {
    if (request.type === 'show_questions') void desk.window.show();
    else if (request.type === 'control') void feeds.control(request.agent, request.state);
    else void (request.type === 'give' ? give(request, 'popup') : changeSetting(request));
  },
});

const panels = new PanelPorts({
  panels: new SidePanels(countPanels, () => undefined),
  state: async () => ({
    ...(await desk.granted()),
    pick: pointing.shown,
    recording: recording.shown,
    held: await heldTabs(),
    own: await ownState(),
    policy: await rules.summary(),
    hasSiteAccess: await hasSiteAccess(),
  }),
  onRequest: async (request) => {
    if (request.type === 'give') await give(request, 'side_panel');
    else if (request.type === 'revoke') await desk.questions.grants.revoke(request.grant);
    else if (request.type === 'pick' || request.type === 'pick_send') await pointing.take(request);
    else if (request.type === 'record' || request.type === 'record_keep') await recording.take(request);
    else await changeSetting(request);
  },
  onClosed: () => {
    pointing.stop();
    void recording.stop(null);
  },
});

const pointing = new Pointing({
  ...pages,
  servers: () => servers.connected(),
  onChange: () => void panels.publish(),
  isOwned: owners.isOwned,
  lend: (tabId, to) => lent.give(tabId, to, 'side_panel'),
});

const recording = new Recording({
  ...pages,
  servers: () => servers.connected(),
  denies: (place) => servers.denies(place),
  onChange: refresh,
});

onHeldTabs(() => void panels.publish());

const feeds = new FeedPorts({
  servers: () => servers.connected(),
  agents,
  panels: new SidePanels(countPanels, () => undefined),
});

const menu = new GiveMenu((tabId, to) => {
  if (!owners.isOwned(tabId)) void lent.give(tabId, to, 'menu').then(refresh, () => undefined);
});

let language: Language = 'en';
onLanguage((chosen) => {
  language = chosen;
  refresh();
});

function refresh(): void {
  feeds.refresh();
  menu.show(
    servers
      .summaries()
      .flatMap(({ instance: server, clients }) =>
        clients.map(({ name: agent }) => ({ server, agent, session: null })),
      ),
    language,
  );
  void popups.publish();
  void panels.publish();
  const shown = {
    servers: servers.summaries().length,
    questions: desk.waiting,
    isRecording: recording.isOn,
  };
  void cancelMemory
    .isCancelled()
    .then((isCancelled) => showBadge(badgeOf(link.state, { ...shown, isCancelled }, language)));
}

async function connected({ command, entries: named = [] }: HostHello): Promise<void> {
  entries = named;
  await countConnect();
  if (command === undefined) return;
  await rememberCommand(command);
  refresh();
}

function wake(): void {
  link.wake();
  void ensureOffscreen();
  void desk.tick(servers.instances());
}

browser.runtime.onConnect.addListener((port) => {
  if (port.name === POPUP_PORT) popups.accept(port);
  else if (port.name === APPROVE_PORT) desk.accept(port);
  else if (port.name === PANEL_PORT) panels.accept(port);
  else if (port.name === FEED_PORT) feeds.accept(port);
  else if (port.name === OFFSCREEN_PORT && isOwnPage(port, 'core/offscreen/offscreen.html')) wake();
});

onCancelMemory(() => {
  desk.refresh();
  refresh();
});
onSiteAccess(refresh);
rules.onChange(refresh);
desk.onCount(refresh);
desk.questions.grants.onChange(() => void panels.publish());
// The panel offers the front tab.
browser.tabs.onActivated.addListener(() => void panels.publish());
browser.windows.onFocusChanged.addListener(() => void panels.publish());
onNoticeClick(() => void desk.window.show());
followReplacedTabs();
browser.runtime.onInstalled.addListener(({ reason }) => {
  if (reason === 'install') void welcome();
});
keepAlive(wake);
wake();
