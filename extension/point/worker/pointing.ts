import browser from 'webextension-polyfill';
import { untilOver, withDeadline } from '../../core/link/interrupt.ts';
import { cut } from '../../../shared/base/cut.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import type { Box, TargetFacts } from '../../core/ports/page-answers.ts';
import type { PickRequest } from '../../people/requests-port.ts';
import type { ShownPick } from '../../ui/frame/protocol.ts';
import { ActPage } from '../../act/worker/act-page.ts';
import type { WorkerServices } from '../../core/handler.ts';
import type { FrameAddress } from '../../core/pages/channels.ts';
import type { PageChannel } from '../../core/pages/page-channel.ts';
import { look, type Look } from '../../pictures/worker/concealed.ts';
import { addressOf, framesOf } from '../../core/policy/documents.ts';
import { drawVisible } from '../../people/worker/target-picture.ts';
import type { Borrower } from '../../people/worker/grants.ts';
import type { ConnectedServer } from '../../core/link/servers.ts';
import { frontTab } from '../../core/person-tabs.ts';

/** Nobody points for longer. */
const POINT_MS = 600_000;
const FRAME_MS = 5_000;
const SEND_MS = 10_000;
/** So long the browser may fail to take a picture, and the page may move. */
const PICTURE_MS = 2_000;
const MAX_FRAMES = 100;

interface PointingOptions extends Pick<WorkerServices, 'channels' | 'refBook' | 'personTabs'> {
  readonly servers: () => readonly ConnectedServer[];
  readonly onChange: () => void;
  readonly isOwned: (tabId: number) => boolean;
  /** The agent gets the tab with the element. */
  readonly lend: (tabId: number, to: Borrower) => Promise<void>;
}

interface Pointed {
  readonly channel: PageChannel;
  readonly facts: TargetFacts;
}

interface Picked extends Pointed {
  readonly box: Box;
  /** A `data:` address. */
  readonly picture: string | null;
}

type PickToSend = Extract<PickRequest, { type: 'pick_send' }>;

/** A person points at an element of the front tab, and gives it to a session of an agent with a sentence. */
export class Pointing {
  shown: ShownPick | null = null;
  #active: AbortController | null = null;
  #picked: Picked | null = null;

  constructor(private readonly options: PointingOptions) {
    options.personTabs.onChange(() => this.stop());
  }

  async take(request: PickRequest): Promise<void> {
    if (request.type === 'pick_send') await this.#send(request);
    else if (request.act === 'start') void this.#start();
    else this.stop();
  }

  /** Also drops the element that was picked and not sent. */
  stop(): void {
    this.#active?.abort(new SpillwayError('cancelled', 'The person stopped pointing.'));
    this.#active = null;
    this.#picked = null;
    this.#show(null);
  }

  #show(shown: ShownPick | null): void {
    if (this.shown === null && shown === null) return;
    this.shown = shown;
    this.options.onChange();
  }

  async #start(): Promise<void> {
    this.stop();
    const active = (this.#active = new AbortController());
    this.#show({ step: 'pointing' });
    try {
      const picked = await this.#point(active.signal);
      if (active !== this.#active) return;
      this.#picked = picked;
      this.#show(
        picked && { step: 'picked', line: picked.facts.line, picture: picked.picture, problem: null },
      );
    } catch (thrown) {
      if (active === this.#active) this.#show({ step: 'failed', problem: toSpillwayError(thrown).code });
    } finally {
      active.abort();
    }
  }

  async #point(signal: AbortSignal): Promise<Picked | null> {
    const { tabId } = await frontTab(this.options.personTabs);
    const frames = (await browser.webNavigation.getAllFrames({ tabId })) ?? [];
    const found = await untilOver(signal, (limited) => {
      const [top, ...others] = frames
        .toSorted((a, b) => a.frameId - b.frameId)
        .slice(0, MAX_FRAMES)
        .map(({ frameId, url }) => this.#pointIn({ tabId, frameId, url }, limited));
      if (top === undefined) throw new SpillwayError('tab_not_found', 'The tab has no page.');
      // A frame that no script may enter, or that goes, can only be pointed at from outside.
      return Promise.race([top, ...others.map((other) => other.catch(() => top))]);
    });
    return found && { ...found, ...(await this.#outline(found)) };
  }

  async #pointIn(address: FrameAddress, signal: AbortSignal): Promise<Pointed | null> {
    const { channels } = this.options;
    const waiting = { timeoutMs: FRAME_MS, signal };
    const channel = await channels.connect(address, waiting);
    await channels.add('person.js', address, waiting);
    const facts = await this.#page(channel).ask({ do: 'point', waitMs: POINT_MS }, signal);
    return facts && { channel, facts };
  }

  #page(channel: PageChannel, viewer = ''): ActPage {
    return new ActPage(channel, { book: this.options.refBook, viewer });
  }

  /** No picture for an element of another site's frame, which cannot tell where it is, or of a page that moves. */
  #outline({ channel, facts }: Pointed): Promise<Pick<Picked, 'box' | 'picture'>> {
    return withDeadline(SEND_MS, late, async (signal) => {
      const page = this.#page(channel);
      await page.ask({ do: 'rest', until: 'drawn' }, signal);
      const { tabId, frameId } = channel;
      const looks = (): Promise<Look | null> =>
        look({ ...this.options, tabId, policy: { passes: () => true }, signal });
      const until = Date.now() + PICTURE_MS;
      for (let before = await looks(); ;) {
        const outlined = await page.ask({ do: 'outline', held: facts.held }, signal);
        const { box, isInTab } = outlined;
        // A frame does not know how far the person has zoomed into the tab.
        if (!isInTab || before === null || (frameId !== 0 && before.view.scale !== 1))
          return { box, picture: null };
        const marks = { ...outlined, to: null, point: null, last: null, secrets: before.covers };
        const picture = await drawVisible(tabId, marks, signal).catch(() => undefined);
        const after = await looks();
        const isStill = JSON.stringify(before) === JSON.stringify(after);
        if (isStill && picture !== undefined) return { box, picture };
        if (Date.now() > until) return { box, picture: null };
        before = after;
      }
    });
  }

  async #send(request: PickToSend): Promise<void> {
    const picked = this.#picked;
    if (picked === null) return;
    const { facts, picture } = picked;
    try {
      await withDeadline(SEND_MS, late, (signal) => this.#give(picked, request, signal));
      this.#picked = null;
      this.#show({ step: 'sent', agent: request.agent });
    } catch (thrown) {
      const { code } = toSpillwayError(thrown);
      this.#show({ step: 'picked', line: facts.line, picture, problem: code });
    }
  }

  async #give(
    { facts, picture, channel, box }: Picked,
    { server, session, agent, said }: PickToSend,
    signal: AbortSignal,
  ): Promise<void> {
    const { tabId, documentId } = channel;
    const found = this.options.servers().find(({ port }) => port.instance === server);
    if (found === undefined) throw new SpillwayError('browser_disconnected', 'The agent has gone.');
    if (await found.policy.denies(await framesOf(tabId), agent))
      throw new SpillwayError('policy_denied', 'The rules keep this page from the agent.');
    const named = await this.#page(channel, session).ask({ do: 'ref', held: facts.held }, signal);
    const { title = '' } = await browser.tabs.get(tabId);
    const pick = {
      tab_id: tabId,
      url: await addressOf({ url: channel.url, tabId, documentId }),
      title: cut(title, TITLE_UNITS).toWellFormed(),
      ...named,
      box,
      said,
      picture: picture === null ? null : picture.slice(picture.indexOf(',') + 1),
    };
    if (!this.options.isOwned(tabId)) await this.options.lend(tabId, { server, agent, session });
    await found.port.request('picks.add', { session, pick }, signal);
  }
}

const TITLE_UNITS = 1_000;

const late = (): SpillwayError => new SpillwayError('timeout', 'The page did not answer in time.');
