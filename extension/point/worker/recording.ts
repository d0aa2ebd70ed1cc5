import browser from 'webextension-polyfill';
import * as z from 'zod/mini';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import { type NewStep, type RecordedAct, RecordedStep } from '../recorded-port.ts';
import type { RecordRequest } from '../../people/requests-port.ts';
import type { ShownRecording } from '../../ui/frame/protocol.ts';
import type { WorkerServices } from '../../core/handler.ts';
import type { PolicyPlace } from '../../core/policy/call-policy.ts';
import { framesOf } from '../../core/policy/documents.ts';
import type { ConnectedServer } from '../../core/link/servers.ts';
import { shownHeading } from '../../core/in-page/heading.ts';
import { frontTab } from '../../core/person-tabs.ts';
import { Queue } from '../../../shared/base/queue.ts';
import { slugOf } from '../../../shared/core/slug.ts';
import {
  isLeaving,
  isOpenText,
  isReplaced,
  namesOf,
  proposeParameters,
  recipeOf,
  valuesOf,
} from './recording-steps.ts';
import { type ActSource, RecordedTabs } from './recording-tabs.ts';

const SEND_MS = 10_000;
/** Beyond them, nothing is recorded. */
const STEPS_MAX = 100;
const KEY = 'recording';

interface RecordingOptions extends Pick<WorkerServices, 'channels' | 'personTabs' | 'leases'> {
  readonly servers: () => readonly ConnectedServer[];
  /** Whether the rules keep a page from one of the agents that are connected. */
  readonly denies: (place: PolicyPlace) => Promise<boolean>;
  readonly onChange: () => void;
}

const Stored = z.object({
  steps: z.array(RecordedStep),
  /** Acts that no step can repeat. */
  left: z.int(),
  /** An agent acted in one of the tabs meanwhile. */
  hasAgent: z._default(z.boolean(), false),
});

interface State extends z.infer<typeof Stored> {
  phase: 'none' | 'recording' | 'editing' | 'kept';
  /** A code: why it could not start, why it has ended, or why it was not kept. */
  problem: string | null;
  deniedSite: string | null;
}

function nothing(): State {
  return { steps: [], left: 0, hasAgent: false, phase: 'none', problem: null, deniedSite: null };
}

/** Makes a recipe of a person's own acts in the tab in front, which they edit and keep. */
export class Recording {
  #state = nothing();
  #lastId = 0;
  #kept = '';
  #tabs: RecordedTabs | null = null;
  /** Steps are added in the order in which they were done. */
  readonly #adding = new Queue(1);
  /** The person's requests are done in turn, after what an earlier worker left has been read. */
  readonly #turns = new Queue(1);
  /** Servers that did not judge a text in time: each act would wait for them again. */
  #silent = new WeakSet<ConnectedServer['port']>();

  constructor(private readonly options: RecordingOptions) {
    options.personTabs.onChange((tabId, isTaken) => {
      if (isTaken && this.#tabs?.has(tabId) === true) void this.stop('taken_over');
    });
    void this.#turns.add(() => this.#load());
  }

  get isOn(): boolean {
    return this.#state.phase === 'recording';
  }

  get shown(): ShownRecording | null {
    const { phase, steps, left, hasAgent, problem, deniedSite } = this.#state;
    if (phase === 'none') return problem === null ? null : { step: 'failed', problem };
    if (phase === 'kept') return { step: 'kept', name: this.#kept };
    const names = proposeParameters(steps);
    const hasTabs = new Set(steps.map(({ tab }) => tab)).size > 1;
    return {
      step: phase,
      steps: steps.map((step) => ({
        step,
        parameter: names.get(step.id) ?? null,
        isOpen: isOpenText(step),
        isFixed: hasTabs && (step.kind === 'open' || step.kind === 'opened'),
      })),
      left,
      hasAgent,
      problem,
      deniedSite,
    };
  }

  take(request: RecordRequest): Promise<void> {
    if (request.type === 'record_keep') return this.#turns.add(() => this.#keep(request));
    if (request.act === 'start') return this.#turns.add(() => this.#start());
    return request.act === 'stop' ? this.stop(null) : this.#turns.add(() => this.#discard());
  }

  /** @param why a code, if not the person ends it; null if they do */
  stop(why: string | null): Promise<void> {
    // A start that still enters pages ends early.
    void this.#tabs?.end();
    return this.#turns.add(() => this.#stop(why));
  }

  async #stop(why: string | null): Promise<void> {
    const tabs = this.#tabs;
    if (tabs === null) return;
    this.#tabs = null;
    await tabs.end();
    await this.#added();
    if (why === null) await this.#look(tabs).catch(() => undefined);
    this.#state = { ...this.#state, phase: 'editing', problem: why };
    await this.#changed();
  }

  /** Adds what the page says now, by which a test can tell that it came to the same end. */
  async #look(tabs: RecordedTabs): Promise<void> {
    const last = this.#state.steps.at(-1);
    const tabId = last?.kind === 'act' ? tabs.idOf(last.tab) : undefined;
    if (last === undefined || tabId === undefined) return;
    const [top] = await framesOf(tabId);
    if (top === undefined || (await this.options.denies(top))) return;
    const [found] = await browser.scripting.executeScript({ target: { tabId }, func: shownHeading });
    const text = typeof found?.result === 'string' ? found.result : '';
    const [isSecret] = text === '' ? [] : await this.#screen([{ label: '', text }]);
    if (isSecret === false) await this.#add(tabs, { kind: 'shows', tab: last.tab, text });
  }

  async #start(): Promise<void> {
    if (this.#tabs !== null) return;
    await this.#discard();
    try {
      const tab = await frontTab(this.options.personTabs);
      const [top] = await framesOf(tab.tabId);
      if (top === undefined || (await this.options.denies(top)))
        throw new SpillwayError('policy_denied', 'The rules keep this page from agents.');
      const tabs = new RecordedTabs({
        ...this.options,
        windowId: tab.windowId,
        onAct: (from, act) => this.#enqueue(() => this.#act(tabs, from, act)),
        onStep: (step) => this.#enqueue(() => this.#open(tabs, step)),
        onDenied: (site) => {
          this.#state.deniedSite = site;
          void this.#changed();
        },
        onGone: () => void this.stop('tab_not_found'),
      });
      // The tab may have been taken over meanwhile.
      this.options.personTabs.check(tab.tabId);
      this.#tabs = tabs;
      await tabs.begin(tab.tabId, tab.url);
      this.#state.phase = 'recording';
    } catch (thrown) {
      this.#state.problem = toSpillwayError(thrown).code;
    }
    await this.#changed();
  }

  /** Resolves when the steps so far have been added. */
  #added(): Promise<void> {
    return this.#adding.add(() => Promise.resolve());
  }

  #enqueue(add: () => Promise<void>): void {
    void this.#adding.add(add).catch(() => undefined);
  }

  async #act(tabs: RecordedTabs, { tab, tabId, frame }: ActSource, given: RecordedAct): Promise<void> {
    // Nothing tells the person's input from that of an agent that acts in this tab meanwhile.
    if (this.options.leases.wasHeld(tabId, given.at)) {
      this.#state.hasAgent = true;
      return this.#changed();
    }
    const act = await this.#screened(given, frame);
    if (act === null) return this.#leave();
    const step = { kind: 'act', tab, act } as const;
    const { steps } = this.#state;
    if (isLeaving(steps.at(-1), step)) steps.pop();
    if (isReplaced(steps.at(-1), step)) steps.pop();
    await this.#add(tabs, step);
  }

  /** Without texts that must not be kept; null for an act that no step can repeat without them. */
  async #screened(given: RecordedAct, frame: string | null): Promise<RecordedAct | null> {
    const { label, target } = given;
    const named = [label, ...namesOf(target)];
    const values = valuesOf(given);
    const secret = await this.#screen([
      ...named.map((text) => ({ label: '', text })),
      ...values.map((text) => ({ label, text })),
      { label: 'url', text: frame ?? '' },
    ]);
    const isMissing = target === null && given.do !== 'press';
    if (isMissing || secret.slice(0, named.length).includes(true)) return null;
    const isSecret = given.isSecret || secret.slice(named.length, -1).includes(true);
    const act = frame !== null && secret.at(-1) === false ? { ...given, frame } : given;
    return isSecret ? { ...act, value: null, isSecret } : act;
  }

  async #open(tabs: RecordedTabs, step: NewStep): Promise<void> {
    if (step.kind !== 'open' || step.url === null) return this.#add(tabs, step);
    const [isSecret] = await this.#screen([{ label: 'url', text: step.url }]);
    await this.#add(tabs, { ...step, url: isSecret === false ? step.url : null });
  }

  async #add(tabs: RecordedTabs, step: NewStep): Promise<void> {
    const { steps } = this.#state;
    if (steps.length >= STEPS_MAX) return this.#leave();
    this.#lastId += 1;
    steps.push({ ...step, id: this.#lastId });
    tabs.added();
    await this.#changed();
  }

  async #leave(): Promise<void> {
    this.#state.left += 1;
    await this.#changed();
  }

  /** A text that no server has judged counts as secret. */
  async #screen(
    texts: readonly { readonly label: string; readonly text: string }[],
  ): Promise<readonly boolean[]> {
    const signal = AbortSignal.timeout(SEND_MS);
    const asked = this.options.servers().filter(({ port }) => !this.#silent.has(port));
    const answers = await Promise.allSettled(
      asked.map(({ port }) => port.request('recordings.screen', { texts: [...texts] }, signal)),
    );
    for (const [at, { port }] of asked.entries())
      if (signal.aborted && answers[at]?.status === 'rejected') this.#silent.add(port);
    const judged = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.secret] : []));
    return texts.map(
      ({ text }, at) => text !== '' && (judged.length === 0 || judged.some((secret) => secret[at] !== false)),
    );
  }

  async #keep(request: Extract<RecordRequest, { type: 'record_keep' }>, count = 1): Promise<void> {
    if (this.#state.phase !== 'editing') return;
    const { server, title, steps: chosen } = request;
    const named = slugOf(title);
    const parameters = new Map(
      chosen.flatMap(({ id, parameter }) => (parameter === null ? [] : [[id, parameter] as const])),
    );
    const ids = new Set(chosen.map(({ id }) => id));
    const steps = this.#state.steps.filter(({ id }) => ids.has(id));
    try {
      const found = this.options.servers().find(({ port }) => port.instance === server);
      if (found === undefined) throw new SpillwayError('browser_disconnected', 'The agent has gone.');
      const name = named || `recording${count > 1 ? `_${count}` : ''}`;
      const definition = recipeOf(steps, { name, title, parameters });
      const signal = AbortSignal.timeout(SEND_MS);
      await found.port.request('recordings.keep', { definition }, signal);
      await this.#discard();
      this.#state.phase = 'kept';
      this.#kept = name;
    } catch (thrown) {
      const { code } = toSpillwayError(thrown);
      // A title without Latin letters gives no name of its own.
      if (named === '' && code === 'recipe_exists') return this.#keep(request, count + 1);
      this.#state.problem = code;
    }
    await this.#changed();
  }

  async #discard(): Promise<void> {
    const tabs = this.#tabs;
    this.#tabs = null;
    await tabs?.end();
    await this.#added();
    this.#silent = new WeakSet();
    this.#state = nothing();
    await this.#changed();
  }

  /** Kept until the person decides, even if the browser ends. */
  async #changed(): Promise<void> {
    const { phase, steps, left, hasAgent } = this.#state;
    const isOpen = phase === 'recording' || phase === 'editing';
    if (isOpen) await browser.storage.local.set({ [KEY]: { steps, left, hasAgent } });
    else await browser.storage.local.remove(KEY);
    this.options.onChange();
  }

  /** A worker that finds a recording has not made it. */
  async #load(): Promise<void> {
    const { [KEY]: kept } = await browser.storage.local.get(KEY);
    const stored = Stored.safeParse(kept);
    if (!stored.success || stored.data.steps.length === 0) return;
    this.#state = { ...stored.data, phase: 'editing', problem: 'cancelled', deniedSite: null };
    this.#lastId = Math.max(...stored.data.steps.map(({ id }) => id));
    this.options.onChange();
  }
}
