import browser, { type Runtime } from 'webextension-polyfill';
import { BoundedMap } from '../../../shared/base/maps.ts';
import { isObject } from '../../../shared/base/json.ts';
import {
  APPROVE_PAGE,
  type ApproveState,
  type AtStake,
  type ShownQuestion,
  type ShownTakeover,
  type ShownTab,
} from '../protocol.ts';
import { containerOf } from '../../platform/chromium/containers.ts';
import { PANEL_PAGE } from '../../ui/frame/protocol.ts';
import type { ShownElements } from '../../core/ports/shown-element.ts';
import { Queue } from '../../../shared/base/queue.ts';
import { cutUrl, cut } from '../../../shared/base/cut.ts';
import type { Caller } from '../../../shared/core/policy/call-facts.ts';
import type { cancelMemory } from '../../platform/chromium/debugger/cancel-memory.ts';
import { resolvePortPlace } from '../../platform/chromium/members.ts';
import type { Takeovers } from './takeover/takeovers.ts';
import type { AskWindow, SidePanels } from './ask-window.ts';
import { QUESTION_MS, type Card, type Question } from './queue.ts';
import { ApproveRequest } from '../requests-port.ts';
import type { ChosenFiles } from './chosen-files.ts';
import type { Decisions, Shown } from './decisions.ts';
import { scopesOf } from './grants.ts';
import { isOfBrowser } from '../../../shared/core/policy/names.ts';
import type { Scope } from '../../../shared/core/policy/decision.ts';
import type { Questions } from './questions.ts';

const TITLE_UNITS = 300;
const URL_UNITS = 2_000;

/** The tab that a card is about, if it still exists. */
export async function shownTab(tabId: number | null): Promise<ShownTab | null> {
  const tab = tabId === null ? null : await browser.tabs.get(tabId).catch(() => null);
  return (
    tab && {
      title: cut(tab.title ?? '', TITLE_UNITS),
      url: cutUrl(tab.url ?? '', URL_UNITS),
      container: await containerOf(tab),
    }
  );
}

const agentOf = ({ name, version }: Caller): ShownQuestion['agent'] => ({ name, version: version ?? null });

/** The card of the current take-over; null without one. */
async function describeTakeover(takeovers: Takeovers): Promise<Omit<ShownTakeover, 'token'> | null> {
  const { front } = takeovers;
  if (front === null) return null;
  return {
    id: front.id,
    agent: agentOf(front.caller),
    message: front.message,
    ask: front.ask,
    until: front.until,
    ...((await shownTab(front.tab_id)) ?? { title: '', url: '' }),
    endsAt: (front.asked_at ?? front.begun_at) + front.limit_ms,
    more: takeovers.count - 1,
  };
}

/** Pictures kept, for the last shown questions. */
const MOST = 8;

interface CardPage {
  shown: Record<Asked, Shown | null>;
  refused: string | null;
}
type Asked = 'question' | 'takeover';

export interface ApprovePortsOptions {
  readonly debugging: Pick<typeof cancelMemory, 'isCancelled' | 'allow'>;
  readonly questions: Questions;
  readonly takeovers: Takeovers;
  readonly window: AskWindow;
  readonly panels: SidePanels;
  readonly decisions: Decisions;
  readonly monotonicNow: () => number;
  readonly chosen: ChosenFiles;
  readonly elementsOf: (question: Question) => Promise<ShownElements>;
  /** Work of the person's that leaving the page of the tab would lose. */
  readonly atStake: (tabId: number) => Promise<readonly AtStake[]>;
  /** Takes a picture for a question; null if there is nothing to show, undefined if the person has to ask for it. */
  readonly pictureOf: (
    question: Question,
  ) => ((isAsked: boolean) => Promise<string | null | undefined>) | null;
}

/**
 * The pages that show questions. Only those of the window and of side panels get a token, without which no decision is
 * accepted.
 */
export class ApprovePorts {
  readonly #pictures = new BoundedMap<string, ShownQuestion['picture']>(MOST);
  readonly #stakes = new BoundedMap<string, Promise<readonly AtStake[]>>(MOST);
  readonly #pages = new Map<Runtime.Port, CardPage>();
  #seen: { readonly question: string; elements: ShownElements | null } | null = null;
  /** One decision at a time: the second must see what the first has ended. */
  readonly #turns = new Queue(1);

  constructor(private readonly options: ApprovePortsOptions) {}

  /** Accepts a port, or closes it if it is not from one of our pages. */
  accept(port: Runtime.Port): void {
    const inPanel = resolvePortPlace(port, PANEL_PAGE);
    if (inPanel === null && resolvePortPlace(port, APPROVE_PAGE) !== 'tab') return port.disconnect();
    const page: CardPage = { shown: { question: null, takeover: null }, refused: null };
    this.#pages.set(port, page);
    port.onDisconnect.addListener(() => {
      this.#pages.delete(port);
      void this.publish();
    });
    port.onMessage.addListener((message: unknown) => this.#receive(port, page, message));
    const known = inPanel === 'no_tab' ? this.options.panels.accept(port) : Promise.resolve();
    void known.then(() => this.publish());
  }

  /** Sends the current questions to all pages. */
  async publish(): Promise<void> {
    if (this.#pages.size === 0) return;
    const { questions, takeovers, window, panels, debugging } = this.options;
    await Promise.all([questions.loaded, takeovers.loaded]);
    // Otherwise its page would briefly claim that nothing can be decided there.
    await window.known();
    await panels.isOpen();
    const { front } = questions;
    const [question, takeover, isDebuggingCancelled] = await Promise.all([
      front === null
        ? null
        : describeQuestion(front, {
            picture: this.#pictureOf(front.question),
            scope: questions.lastScope(front.question),
            atStake: await this.#atStake(front.question),
          }),
      describeTakeover(takeovers),
      debugging.isCancelled(),
    ]);
    // The tab was looked up meanwhile; a change during that time publishes by itself.
    if (questions.front?.question.id !== front?.question.id || takeovers.front?.id !== takeover?.id) return;
    const shown =
      question === null || front === null
        ? null
        : { ...question, elements: this.#elementsOf(front.question) };
    for (const [port, page] of this.#pages)
      this.#show(port, page, { question: shown, takeover, isDebuggingCancelled });
  }

  /** Looked up once: the card must not change while it is read. */
  #atStake({ id, tab_id: tabId, is_lent: isLent }: Question): Promise<readonly AtStake[]> {
    if (tabId === null || !isLent) return Promise.resolve([]);
    const known = this.#stakes.get(id) ?? this.options.atStake(tabId).catch(() => []);
    this.#stakes.set(id, known);
    return known;
  }

  /** Null until the page has answered: then the card is shown again. */
  #elementsOf(question: Question): ShownElements | null {
    if (this.#seen?.question === question.id) return this.#seen.elements;
    const seen = (this.#seen = { question: question.id, elements: null as ShownElements | null });
    const looking = this.options.elementsOf(question).catch(() => ({}));
    void looking.then((elements) => {
      seen.elements = elements;
      void this.publish();
    });
    return seen.elements;
  }

  /**
   * The picture, taken once: without data until then, null if none is possible. One that arrives later changes nothing
   * else, so the buttons stay live.
   */
  #pictureOf(question: Question, isAsked = false): ShownQuestion['picture'] {
    const take = this.options.pictureOf(question);
    if (take === null) return null;
    const known = this.#pictures.get(question.id);
    if (known !== undefined && !(isAsked && known === 'on_request')) return known;
    const coming = { data: null };
    this.#pictures.set(question.id, coming);
    void take(isAsked)
      // A page or a browser that was too slow once.
      .catch(() => take(isAsked))
      // A page that is gone has no picture; the act will report it.
      .catch(() => null)
      .then((data) => {
        this.#pictures.set(question.id, data === undefined ? 'on_request' : data === null ? null : { data });
        void this.publish();
      });
    return coming;
  }

  #show(port: Runtime.Port, page: CardPage, { question, takeover, isDebuggingCancelled }: Described): void {
    const { questions } = this.options;
    const { shown } = page;
    const where = this.#whereOf(port);
    const elements = question?.elements ?? null;
    shown.takeover = this.#shownAs(shown.takeover, takeover?.id, where, shown.takeover?.elements ?? {});
    // A growing count does not change the question: its buttons stay live, or a flood would keep them disabled. Newly
    // known elements do: nothing could be decided before.
    const isSame = shown.question?.elements === elements;
    shown.question = this.#shownAs(isSame ? shown.question : null, question?.id, where, elements);
    const state: ApproveState = {
      question,
      takeover: takeover === null ? null : { ...takeover, token: shown.takeover?.token ?? null },
      token: shown.question?.token ?? null,
      more: Math.max(0, questions.count.cards - 1),
      refused: page.refused,
      isDebuggingCancelled,
    };
    port.postMessage(state);
  }

  /** The card for a page: with a new token, unless it was shown before. */
  #shownAs(
    before: Shown | null,
    id: string | undefined,
    where: Shown['where'] | null,
    elements: Shown['elements'],
  ): Shown | null {
    if (where === null || id === undefined) return null;
    if (before?.id === id) return before;
    return { id, token: crypto.randomUUID(), at: this.options.monotonicNow(), where, elements };
  }

  /** Where the users of that page decide; null in a page without decisions. */
  #whereOf(port: Runtime.Port): Shown['where'] | null {
    const { window, panels } = this.options;
    return window.holds(port) ? 'window' : panels.holds(port) ? 'side_panel' : null;
  }

  #receive(port: Runtime.Port, page: CardPage, message: unknown): void {
    const { window } = this.options;
    const request = ApproveRequest.safeParse(message);
    if (!request.success) {
      if (isObject(message) && (message['type'] === 'decide' || message['type'] === 'takeover'))
        void this.#turns.add(() => this.#refuseMalformed(page));
      return;
    }
    if (request.data.type === 'show_window') return void window.show();
    if (request.data.type === 'allow_debugging') return void this.#allowDebugging(port);
    if (request.data.type === 'show_picture') return void this.#takePicture(port);
    const { data } = request;
    // Only the page that shows the question has its token.
    const { id, token } = page.shown.question ?? {};
    if (data.type === 'choose')
      return data.question === id && data.token === token ? this.options.chosen.add(data) : undefined;
    void this.#turns.add(() => this.#decide(port, page, data));
  }

  /** Whether a page may decide now: only the window's and side panels' may. */
  async #mayDecide(port: Runtime.Port): Promise<boolean> {
    const { window, panels } = this.options;
    return (await window.stillHolds(port)) || (await panels.stillHolds(port));
  }

  async #allowDebugging(port: Runtime.Port): Promise<void> {
    if (await this.#mayDecide(port)) await this.options.debugging.allow();
  }

  async #takePicture(port: Runtime.Port): Promise<void> {
    const { front } = this.options.questions;
    if (front === null || !(await this.#mayDecide(port))) return;
    this.#pictureOf(front.question, true);
    await this.publish();
  }

  async #refuseMalformed(page: CardPage): Promise<void> {
    await this.options.questions.refuse('malformed', null);
    page.refused = 'malformed';
    await this.publish();
  }

  async #decide(
    port: Runtime.Port,
    page: CardPage,
    request: Parameters<Decisions['take']>[0],
  ): Promise<void> {
    const { decisions, questions } = this.options;
    const asked = request.type === 'decide' ? 'question' : 'takeover';
    await questions.loaded;
    const decides = await this.#mayDecide(port);
    const shown = page.shown[asked];
    // It is valid for one attempt, whatever the outcome.
    page.shown[asked] = null;
    page.refused = await decisions.take(request, decides ? shown : null);
    // A person whose decision was rejected sees why, and gets a new token.
    if (page.refused !== null || asked === 'takeover') await this.publish();
  }
}

interface Described extends Pick<ApproveState, 'question' | 'isDebuggingCancelled'> {
  readonly takeover: Omit<ShownTakeover, 'token'> | null;
}

async function describeQuestion(
  { question, card }: { readonly question: Question; readonly card: Card },
  { picture, scope, atStake }: Pick<ShownQuestion, 'picture' | 'scope' | 'atStake'>,
): Promise<Omit<ShownQuestion, 'elements'>> {
  const { call } = question;
  const scopes = scopesOf(question);
  return {
    id: question.id,
    agent: agentOf(question.caller),
    tool: call.tool,
    title: call.title,
    args: call.args,
    isEditable: call.is_editable,
    picture,
    risks: question.risks,
    url: cutUrl(question.url, URL_UNITS),
    origin: question.origin,
    tab: await shownTab(question.tab_id),
    atStake,
    carried: (call.sources ?? []).filter(({ site }) => question.sources.includes(site)),
    isLent: question.is_lent,
    chosen: question.chosen,
    scopes,
    scope: preferredOf(question, scopes, scope),
    endsAt: question.asked_at + QUESTION_MS,
    count: card.questions.length,
  };
}

/** The last choice for that agent and site. A tab, and the list of tabs, are lent for the session: a task has many calls. */
function preferredOf({ risks }: Question, scopes: readonly Scope[], last: Scope): Scope {
  if (scopes.includes('task') && (risks.includes('borrow_tab') || isOfBrowser(risks))) return 'task';
  return scopes.includes(last) ? last : 'once';
}
