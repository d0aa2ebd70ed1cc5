import browser, { type WebNavigation } from 'webextension-polyfill';
import { defer, delay, waitAtMost } from '../../../shared/base/async.ts';
import type { NewStep, RecordedAct } from '../recorded-port.ts';
import { siteOf } from '../../../shared/core/policy/sites.ts';
import type { WorkerServices } from '../../core/handler.ts';
import { listen } from '../../platform/chromium/members.ts';
import type { PageChannel } from '../../core/pages/page-channel.ts';
import { forbiddenPage } from '../../core/pages/targets.ts';
import type { PolicyPlace } from '../../core/policy/call-policy.ts';
import { placeOfFrame } from '../../core/policy/documents.ts';

const FRAME_MS = 5_000;
/** Nobody records for longer. */
const RECORD_MS = 86_400_000;
/** How long pages may take to say what is typed and not left yet. */
const LAST_MS = 2_000;
const MAX_FRAMES = 100;
/** A navigation so soon after an act is its effect. */
const EFFECT_MS = 1_000;
/** How the browser names navigations that a person began in its own window. */
const BY_PERSON = /^(?:typed|generated|auto_bookmark|keyword|keyword_generated|start_page)$/;

/** Reported when its field is left, also by a navigation. */
const TYPED = /^(?:fill|type|clear)$/;

/** Where an act was done. */
export interface ActSource {
  readonly tab: number;
  readonly tabId: number;
  /** Without query and fragment; null for the page itself. */
  readonly frame: string | null;
}

interface RecordedTabsOptions extends Pick<WorkerServices, 'channels' | 'personTabs'> {
  readonly windowId: number;
  readonly denies: (place: PolicyPlace) => Promise<boolean>;
  readonly onAct: (from: ActSource, act: RecordedAct) => void;
  readonly onStep: (step: NewStep) => void;
  readonly onDenied: (site: string) => void;
  /** None of them is left. */
  readonly onGone: () => void;
}

interface RecordedPage {
  readonly channel: PageChannel;
  readonly stop: () => void;
  readonly over: Promise<void>;
}

interface Went {
  readonly tabId: number;
  readonly frameId: number;
  readonly url: string;
  readonly documentId?: string;
  readonly transitionType?: string;
  readonly transitionQualifiers?: readonly string[];
}

/** The tabs of a recording, and the scripts that listen in their documents. */
export class RecordedTabs {
  /** No further document is entered. */
  readonly #closing = new AbortController();
  readonly #over = new AbortController();
  /** Their numbers in the recording; null while a new tab shows no page. */
  readonly #numbers = new Map<number, number | null>();
  readonly #pages = new Set<RecordedPage>();
  readonly #ending: (() => void)[] = [];
  #ended: Promise<void> | null = null;
  #count = 0;
  #lastAt = 0;

  constructor(private readonly options: RecordedTabsOptions) {}

  has(tabId: number): boolean {
    return this.#numbers.has(tabId);
  }

  /** The tab of a number. */
  idOf(number: number): number | undefined {
    return [...this.#numbers].find(([, one]) => one === number)?.[0];
  }

  /** An act has come, or a step has been added. */
  added(): void {
    this.#lastAt = Date.now();
  }

  async begin(tabId: number, url: string): Promise<void> {
    this.#listen();
    this.options.onStep({ kind: 'open', tab: this.#number(tabId), url, isNewTab: false });
    await this.#enter(tabId);
  }

  /** Resolves when the pages have reported the last acts, or have had the time for it. Idempotent. */
  end(): Promise<void> {
    return (this.#ended ??= this.#end());
  }

  async #end(): Promise<void> {
    this.#closing.abort();
    for (const stop of this.#ending) stop();
    const pages = [...this.#pages];
    for (const { stop } of pages) stop();
    await Promise.race([Promise.all(pages.map(({ over }) => over)), delay(LAST_MS)]);
    this.#over.abort();
  }

  #number(tabId: number): number {
    const number = this.#count;
    this.#count += 1;
    this.#numbers.set(tabId, number);
    return number;
  }

  #listen(): void {
    const { webNavigation, tabs } = browser;
    const moved = (details: Went): void => this.#moved(details);
    const opened = ({ sourceTabId, tabId }: WebNavigation.OnCreatedNavigationTargetDetailsType): void => {
      if (!this.has(sourceTabId) || this.has(tabId)) return;
      this.options.onStep({ kind: 'opened', tab: this.#number(tabId) });
      void this.#enter(tabId);
    };
    const activated = ({ tabId, windowId }: { tabId: number; windowId: number }): void =>
      void this.#activated(tabId, windowId);
    const removed = (tabId: number): void => {
      if (this.#numbers.delete(tabId) && this.#numbers.size === 0) this.options.onGone();
    };
    this.#ending.push(
      listen(webNavigation.onCommitted, (details: Went) => this.#went(details)),
      listen(webNavigation.onReferenceFragmentUpdated, moved),
      listen(webNavigation.onHistoryStateUpdated, moved),
      listen(webNavigation.onCreatedNavigationTarget, opened),
      listen(tabs.onActivated, activated),
      listen(tabs.onRemoved, removed),
    );
  }

  /** The person turns to a tab that is not part of the recording yet. */
  async #activated(tabId: number, windowId: number): Promise<void> {
    const { personTabs } = this.options;
    await personTabs.loaded;
    if (windowId !== this.options.windowId || this.has(tabId) || personTabs.has(tabId)) return;
    this.#numbers.set(tabId, null);
    const { url = '' } = await browser.tabs.get(tabId).catch(() => ({ url: '' }));
    if (forbiddenPage(url) !== null || siteOf(url) === null || this.#numbers.get(tabId) !== null) return;
    this.options.onStep({ kind: 'open', tab: this.#number(tabId), url, isNewTab: true });
    await this.#enter(tabId);
  }

  /** A new document. */
  #went(details: Went): void {
    const { tabId, frameId, url } = details;
    if (!this.has(tabId)) return;
    if (frameId === 0 && this.#numbers.get(tabId) === null) {
      if (siteOf(url) !== null)
        this.options.onStep({ kind: 'open', tab: this.#number(tabId), url, isNewTab: true });
    } else this.#moved(details);
    void this.#attach(details);
  }

  #moved({ tabId, frameId, url, transitionType = '', transitionQualifiers = [] }: Went): void {
    const tab = this.#numbers.get(tabId) ?? null;
    if (frameId !== 0 || tab === null || siteOf(url) === null) return;
    if (transitionQualifiers.includes('client_redirect')) return;
    const isEffect = Date.now() - this.#lastAt < EFFECT_MS;
    const isReload = transitionType === 'reload' && !isEffect;
    const isHistory = transitionQualifiers.includes('forward_back') && !isEffect;
    if (isReload) this.options.onStep({ kind: 'reload', tab });
    else if (isHistory || BY_PERSON.test(transitionType) || transitionQualifiers.includes('from_address_bar'))
      this.options.onStep({ kind: 'open', tab, url, isNewTab: false });
  }

  async #enter(tabId: number): Promise<void> {
    const frames = (await browser.webNavigation.getAllFrames({ tabId }).catch(() => null)) ?? [];
    await Promise.all(frames.slice(0, MAX_FRAMES).map((frame) => this.#attach({ ...frame, tabId })));
  }

  /** Frames that no script may enter are not recorded. */
  async #attach({ tabId, frameId, url, documentId }: Went): Promise<void> {
    const { channels, denies, onDenied } = this.options;
    const waiting = { timeoutMs: FRAME_MS, signal: this.#closing.signal };
    try {
      const place = await placeOfFrame(tabId, frameId);
      if (place === null) return;
      if (await denies(place)) return onDenied(siteOf(place.origin ?? place.url)?.origin ?? url);
      const channel = await channels.connect({ tabId, frameId, url, documentId }, waiting);
      await channels.add('person.js', { tabId, frameId, url }, waiting);
      if (waiting.signal.aborted || [...this.#pages].some((page) => page.channel === channel)) return;
      const id = channel.open();
      const record = (isOn: boolean): void =>
        channel.post({ type: 'act', id, viewer: '', ask: { do: 'record', isOn }, showing: null });
      const stop = (): void => record(false);
      record(true);
      const listening = defer<void>();
      const page = { channel, stop, over: this.#hear(channel, id, listening.resolve).catch(stop) };
      this.#pages.add(page);
      void page.over.then(() => {
        listening.resolve();
        channel.end(id);
        this.#pages.delete(page);
      });
      // A person who sees that it records may act at once, and in a busy page input overtakes messages.
      await waitAtMost(listening.promise, FRAME_MS, waiting.signal);
    } catch {
      // The document is gone, or closed to extensions.
    }
  }

  /** Ends with the document, or with the answer to the second question. */
  async #hear(channel: PageChannel, id: number, listens: () => void): Promise<void> {
    const waiting = { timeoutMs: RECORD_MS, signal: this.#over.signal };
    for (let answers = 0; answers < 2;) {
      const received = await channel.receive(id, waiting);
      const tab = this.#numbers.get(channel.tabId) ?? null;
      if (received.type === 'acted') {
        answers += 1;
        listens();
      } else if (received.type === 'recorded' && tab !== null) {
        // Servers judge an act before it is added, and it may move its page by then. A text was typed before.
        if (!TYPED.test(received.act.do)) this.added();
        this.options.onAct({ tab, tabId: channel.tabId, frame: frameOf(channel) }, received.act);
      }
    }
  }
}

const FRAME_UNITS = 500;

function frameOf({ frameId, url }: PageChannel): string | null {
  const [address = ''] = url.split(/[?#]/);
  return frameId === 0 || address.length > FRAME_UNITS ? null : address;
}
