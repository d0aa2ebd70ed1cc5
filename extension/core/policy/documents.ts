import browser from 'webextension-polyfill';
import { waitAtMost } from '../../../shared/base/async.ts';
import { BoundedMap } from '../../../shared/base/maps.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { siteOf } from '../../../shared/core/policy/sites.ts';
import type { PolicyPlace, CallPolicy } from './call-policy.ts';
import type { Risk } from '../../../shared/core/policy/risks.ts';
import type { ChannelPlace, PageChannels } from '../pages/channels.ts';
import type { PageMessage } from '../pages/page-channel.ts';
import type { TabInfo } from '../../../shared/core/bridge/page.ts';
import type { PersonTabs } from '../person-tabs.ts';

interface Frame {
  readonly frameId: number;
  readonly parentFrameId: number;
  readonly url: string;
  readonly documentId?: string;
}

/** The document that a tab shows; null for a tab without one. */
export async function topOf(tabId: number): Promise<PolicyPlace | null> {
  const frame = await browser.webNavigation.getFrame({ tabId, frameId: 0 }).catch(() => null);
  if (frame === null) return null;
  return resolveFramePlace(tabId, { ...frame, frameId: 0 }, null);
}

/** The document's current address: a page can change its own. */
export async function addressOf({ url, tabId, documentId }: PolicyPlace): Promise<string> {
  if (tabId === null || documentId === null) return url;
  const { frames } = await listFrames(tabId);
  return frames.find((frame) => frame.documentId === documentId)?.url ?? url;
}

/** All documents of a tab, the top one first. One without a site of its own has that of the frame around it. */
export async function framesOf(tabId: number): Promise<readonly PolicyPlace[]> {
  const { frames, byId } = await listFrames(tabId);
  return Promise.all(frames.map((frame) => resolveFramePlace(tabId, frame, parentWithSite(frame, byId))));
}

/** One of them; null if it is gone. */
export async function placeOfFrame(tabId: number, frameId: number): Promise<PolicyPlace | null> {
  const { byId } = await listFrames(tabId);
  const frame = byId.get(frameId);
  return frame === undefined ? null : resolveFramePlace(tabId, frame, parentWithSite(frame, byId));
}

async function listFrames(
  tabId: number,
): Promise<{ readonly frames: readonly Frame[]; readonly byId: ReadonlyMap<number, Frame> }> {
  const frames = (await browser.webNavigation.getAllFrames({ tabId }).catch(() => null)) ?? [];
  return { frames, byId: new Map(frames.map((frame) => [frame.frameId, frame])) };
}

async function resolveFramePlace(tabId: number, frame: Frame, around: string | null): Promise<PolicyPlace> {
  const { url, frameId, documentId = null } = frame;
  const place = { url, tabId, documentId };
  if (siteOf(url) !== null) return place;
  const origin = await ownOrigin(tabId, { frameId, documentId });
  return { ...place, origin: origin === 'null' ? (around ?? undefined) : origin };
}

const ORIGIN_MS = 5_000;
const MAX_ORIGINS = 200;
/** By document, whose origin never changes: a page with an open dialog does not answer. */
const origins = new BoundedMap<string, string>(MAX_ORIGINS);

/**
 * The origin of a document whose address does not show it, such as an `about:blank` opened by a page.
 * @throws SpillwayError `page_unresponsive`: rules for the unknown site may deny what others allow
 */
async function ownOrigin(
  tabId: number,
  { frameId, documentId }: { readonly frameId: number; readonly documentId: string | null },
): Promise<string> {
  const known = origins.get(documentId ?? '');
  if (known !== undefined) return known;
  const asking = browser.scripting.executeScript({
    target: { tabId, frameIds: [frameId] },
    injectImmediately: true,
    func: () => globalThis.origin,
  });
  // A page that no script may enter contains nothing of a site.
  const answers = await waitAtMost(
    asking.catch(() => []),
    ORIGIN_MS,
  );
  if (answers === undefined)
    throw new SpillwayError(
      'page_unresponsive',
      `Tab ${tabId} did not say within ${ORIGIN_MS} ms which site its page belongs to, on which the rules depend.`,
    );
  const [answer] = answers;
  if (typeof answer?.result !== 'string') return 'null';
  if (documentId !== null) origins.set(documentId, answer.result);
  return answer.result;
}

function parentWithSite(frame: Frame, byId: ReadonlyMap<number, Frame>): string | null {
  for (let around = byId.get(frame.parentFrameId); around !== undefined;) {
    const site = siteOf(around.url);
    if (site !== null) return site.origin;
    around = byId.get(around.parentFrameId);
  }
  return null;
}

/**
 * The channels of one call: the rules are asked about each document when the call turns to it. A person is asked about
 * the page, and about frames that a call names; a frame that a call merely encounters is omitted.
 * @param frames whether the call names the frames that it turns to
 * @param waits whether a channel waits for the ledger, too
 * @param isPart whether the call is part of a crawl: a person was asked, and the ledger written, when that began
 * @param asks whether a person may be asked at all
 */
export function documentsOfCall<To extends PageMessage, From extends PageMessage>(
  channels: PageChannels<To, From>,
  policy: CallPolicy,
  {
    risks,
    frames = 'met',
    waits = true,
    isPart = false,
    asks = true,
  }: {
    readonly risks: readonly Risk[];
    readonly frames?: 'met' | 'named';
    readonly waits?: boolean;
    readonly isPart?: boolean;
    readonly asks?: boolean;
  },
): PageChannels<To, From> {
  return channels.guardedBy(async (channel) => {
    const mayAsk = asks && !isPart && (channel.frameId === 0 || frames === 'named');
    const place = await placeOfChannel(channel);
    // The tab is the crawl's own: the approval was for the address.
    const judged = isPart ? { ...place, tabId: null, documentId: null } : place;
    await policy.expect(judged, risks, { asks: mayAsk, waits, isRecorded: !isPart });
  });
}

/** A document without a site of its own has that of the frame around it. */
export async function placeOfChannel({
  tabId,
  frameId,
  documentId,
  url,
  origin,
}: ChannelPlace): Promise<PolicyPlace> {
  const place = { url, origin, tabId, documentId };
  const isKnown = siteOf(origin ?? '') !== null || siteOf(url) !== null;
  return isKnown || frameId === 0 ? place : ((await placeOfFrame(tabId, frameId)) ?? place);
}

/** Of a page's source, which the person looks at in a tab. */
const SOURCE = /^view-source:/i;

interface Told {
  readonly policy: CallPolicy;
  readonly personTabs: PersonTabs;
}

/**
 * The facts about a tab that a call may see: for a page that it may not read, or that a person has taken over, only its
 * location.
 */
export async function toldTab(tab: TabInfo, { policy, personTabs }: Told): Promise<TabInfo> {
  const { id: tabId } = tab;
  const url = tab.url.replace(SOURCE, '');
  await personTabs.loaded;
  const isRead = !personTabs.has(tabId) && (await policy.allows({ url, tabId, documentId: null }, ['read']));
  if (isRead) return tab;
  return { ...tab, url: `${siteOf(url)?.origin ?? 'about:blank'}/`, title: '' };
}
