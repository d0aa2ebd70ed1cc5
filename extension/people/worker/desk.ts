import browser, { type Runtime } from 'webextension-polyfill';
import { delay } from '../../../shared/base/async.ts';
import { sessionStorage } from '../../core/session-memory.ts';
import { documentOf } from '../../platform/chromium/members.ts';
import { countSidePanels } from '../../platform/chromium/offscreen.ts';
import { PANEL_PAGE, type PanelState } from '../../ui/frame/protocol.ts';
import { TakeoverMemory } from './takeover/memory.ts';
import { followTabs, isWatched } from './takeover/watch-tabs.ts';
import type { PersonTabs } from '../../core/person-tabs.ts';
import { Takeovers } from './takeover/takeovers.ts';
import { ApprovePorts, shownTab, type ApprovePortsOptions } from './approve-ports.ts';
import { isLoan } from './grants.ts';
import { AskWindow, notify, SidePanels } from './ask-window.ts';
import { ABSENT_MS, shownCards } from './queue.ts';
import { Decisions, type DecisionsOptions } from './decisions.ts';
import { HeldQuestions } from './held-questions.ts';
import { QuestionMemory } from './ledger-reports.ts';
import { Questions } from './questions.ts';

/** Key in `storage.local`. */
const KEY = 'client_answers';

/**
 * Whether the person lets agents' own clients answer Spillway's questions. Off until they allow it in the side panel.
 */
export const clientAnswers = {
  areAllowed: async (): Promise<boolean> => (await browser.storage.local.get(KEY))[KEY] === true,
  /** Saves the person's choice. */
  allow: (areAllowed: boolean): Promise<void> => browser.storage.local.set({ [KEY]: areAllowed }),
};

const LINGER_MS = 1_000;
/** A reloading side panel is back within this time. */
const RELOAD_MS = 300;
/** Rejected decisions that a panel shows. */
const SHOWN_REFUSALS = 20;

interface DeskOptions
  extends
    Pick<ApprovePortsOptions, 'debugging' | 'chosen' | 'elementsOf' | 'pictureOf' | 'atStake'>,
    Pick<DecisionsOptions, 'remember'> {
  readonly personTabs: PersonTabs;
  /** Lets a session use the refs that another one was shown. */
  readonly shareRefs: (sessions: { readonly from: string; readonly to: string }) => Promise<void>;
}

/** The questions, their window, and the signs that a question is open. */
export class Desk {
  readonly questions: Questions;
  readonly held: HeldQuestions;
  readonly takeovers: Takeovers;
  readonly window: AskWindow;
  readonly #panels: SidePanels;
  readonly #ports: ApprovePorts;
  readonly #memory: QuestionMemory;
  #onCount: () => void = () => undefined;
  #absentSince: ReadonlyMap<string, number> = new Map();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #notified: readonly (string | undefined)[] = [];

  /** Registers its listeners at once: create it while the worker starts. */
  constructor({ personTabs, remember, shareRefs, ...shown }: DeskOptions) {
    const monotonicNow = (): number => performance.now();
    const memory = new QuestionMemory(sessionStorage('questions'), () => Date.now(), monotonicNow);
    this.#memory = memory;
    browser.storage.onChanged.addListener((changes, area) => {
      const isOff = area === 'local' && KEY in changes && changes[KEY]?.newValue !== true;
      if (isOff) void this.questions.show(() => true);
    });
    const { areAllowed } = clientAnswers;
    this.questions = new Questions(memory, () => this.#changed(), areAllowed);
    this.held = new HeldQuestions({ questions: this.questions, memory, areAllowed, onAdopt: shareRefs });
    this.takeovers = new Takeovers({
      memory: new TakeoverMemory(sessionStorage('takeovers'), () => Date.now(), monotonicNow),
      tabs: personTabs,
      onChange: () => this.#changed(),
      isWatched: (tabId) => isWatched(tabId, memory.state.window !== null),
    });
    followTabs(this.takeovers);
    this.window = new AskWindow(
      memory,
      () => this.#windowClosed(),
      () => this.#changed(),
    );
    const panels = new SidePanels(countPanels, () => void this.#leftPanel());
    this.#panels = panels;
    const { questions, takeovers, window } = this;
    const decisions = new Decisions({ questions, takeovers, memory, remember, monotonicNow });
    const ports = { ...shown, questions, takeovers, window, panels, decisions, monotonicNow };
    this.#ports = new ApprovePorts(ports);
    browser.webNavigation.onCommitted.addListener((details) => {
      if (details.frameId === 0) void questions.leave(details.tabId, documentOf(details));
    });
    browser.tabs.onRemoved.addListener((tabId) => void questions.leave(tabId, null));
  }

  /** Accepts the port of a page that shows questions. */
  accept(port: Runtime.Port): void {
    this.#ports.accept(port);
  }

  /** Publishes changes other than questions. */
  refresh(): void {
    void this.#ports.publish();
  }

  /** Calls back when the number of waiting questions changes. */
  onCount(listener: () => void): void {
    this.#onCount = listener;
  }

  async granted(): Promise<Pick<PanelState, 'grants' | 'lent' | 'refused'>> {
    const held = await this.questions.grants.held();
    const grants = held.filter(({ used }) => used === null);
    const lent = held.filter(isLoan).map(async ({ id, agent, origin, scope, tab_id: tabId }) => {
      const { title = '' } = (await shownTab(tabId)) ?? {};
      return { id, agent, origin, scope, title };
    });
    return {
      grants: grants.filter((grant) => !isLoan(grant)),
      lent: await Promise.all(lent),
      refused: this.questions.refused.slice(-SHOWN_REFUSALS).reverse(),
    };
  }

  get waiting(): number {
    return this.questions.count.questions + this.takeovers.count;
  }

  /**
   * Ends expired questions and grants. Call whenever something wakes the worker.
   * @param connected instances of the connected servers
   */
  async tick(connected: readonly string[]): Promise<void> {
    await this.#forgetAbsent(new Set(connected));
    await this.takeovers.tick();
    const nextMs = await this.questions.tick();
    clearTimeout(this.#timer);
    if (nextMs !== null) this.#timer = setTimeout(() => void this.questions.tick(), nextMs + 1);
  }

  async #forgetAbsent(connected: ReadonlySet<string>): Promise<void> {
    await Promise.all([this.questions.loaded, this.takeovers.loaded]);
    const now = performance.now();
    const servers = new Set([...this.questions.servers, ...this.takeovers.servers]);
    const absent = [...servers].filter((server) => !connected.has(server));
    this.#absentSince = new Map(absent.map((server) => [server, this.#absentSince.get(server) ?? now]));
    const isGone = (server: string): boolean => now - (this.#absentSince.get(server) ?? now) >= ABSENT_MS;
    await this.questions.forgetServers(isGone);
    await this.takeovers.forgetServers(isGone);
  }

  /** The window was closed: it does not reopen for the same questions. */
  #windowClosed(): void {
    if (this.takeovers.front !== null) {
      this.#memory.state.dismissed.push(this.takeovers.front.id);
      void this.#memory.save();
    }
    this.#notified = [];
    this.#onCount();
  }

  #changed(): void {
    this.#onCount();
    const { front } = this.questions;
    const takeover = this.takeovers.front;
    if (this.waiting === 0) {
      void this.#ports.publish();
      void this.#closeSoon();
      return;
    }
    // The window is slowest, so it is first. Another kind of question may come behind one for which the window was
    // closed.
    const isNew =
      shownCards(this.#memory.state.cards).some((card) => !this.window.wasDismissed(card)) ||
      (takeover !== null && !this.window.wasDismissed({ key: takeover.id, questions: [] }));
    if (isNew) void this.#open();
    void this.#ports.publish();
    const before = this.#notified;
    this.#notified = [front?.card.key, takeover?.id];
    // Once per kind of question.
    if (front !== null && !before.includes(front.card.key)) void notify(front.question);
    if (takeover !== null && !before.includes(takeover.id)) void notify(takeover);
  }

  /** An open side panel shows the questions; without one, a window opens. */
  async #open(): Promise<void> {
    if (await this.#panels.isOpen()) return;
    const isOpen = await this.window.open().then(
      () => this.#memory.state.window !== null,
      () => false,
    );
    // A question waits for a person. A request to act now does not: nobody is there.
    if (!isOpen) await this.takeovers.unshown();
    await this.#ports.publish();
    // All of them may have ended while it opened.
    await this.#closeSoon();
  }

  async #leftPanel(): Promise<void> {
    await delay(RELOAD_MS);
    if (this.waiting > 0) await this.#open();
  }

  async #closeSoon(): Promise<void> {
    if (this.waiting > 0) return;
    await delay(LINGER_MS);
    if (this.waiting === 0) await this.window.close();
  }
}

/** The side panels that the browser shows. */
export const countPanels = (): Promise<number> => countSidePanels(PANEL_PAGE);
