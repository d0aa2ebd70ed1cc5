import browser from 'webextension-polyfill';
import { siteOf } from '../../../shared/policy/sites.ts';
import type { Place } from './call-policy.ts';

interface Frame {
  readonly frameId: number;
  readonly parentFrameId: number;
  readonly url: string;
  readonly documentId?: string;
}

/** The document that a tab shows; null for a tab without one. */
export async function topOf(tabId: number): Promise<Place | null> {
  const frame = await browser.webNavigation.getFrame({ tabId, frameId: 0 }).catch(() => null);
  if (frame === null) return null;
  return placeOf(tabId, { ...frame, frameId: 0 }, null);
}

/** The address that a document has now: a page changes its own. */
export async function addressOf({ url, tabId, documentId }: Place): Promise<string> {
  if (tabId === null || documentId === null) return url;
  const { frames } = await listFrames(tabId);
  return frames.find((frame) => frame.documentId === documentId)?.url ?? url;
}

/** All documents of a tab, the top one first. One without a site of its own has that of the frame around it. */
export async function framesOf(tabId: number): Promise<readonly Place[]> {
  const { frames, byId } = await listFrames(tabId);
  return Promise.all(frames.map((frame) => placeOf(tabId, frame, parentWithSite(frame, byId))));
}

/** One of them; null for one that is gone. */
export async function placeOfFrame(tabId: number, frameId: number): Promise<Place | null> {
  const { byId } = await listFrames(tabId);
  const frame = byId.get(frameId);
  return frame === undefined ? null : placeOf(tabId, frame, parentWithSite(frame, byId));
}

async function listFrames(
  tabId: number,
): Promise<{ readonly frames: readonly Frame[]; readonly byId: ReadonlyMap<number, Frame> }> {
  const frames: readonly Frame[] =
    (await browser.webNavigation.getAllFrames({ tabId }).catch(() => null)) ?? [];
  return { frames, byId: new Map(frames.map((frame) => [frame.frameId, frame])) };
}

async function placeOf(tabId: number, frame: Frame, around: string | null): Promise<Place> {
  const { url, frameId, documentId = null } = frame;
  const place = { url, tabId, documentId };
  if (siteOf(url) !== null) return place;
  const origin = await ownOrigin(tabId, frameId);
  return { ...place, origin: origin === 'null' ? (around ?? undefined) : origin };
}

/** Of a document whose address does not tell, such as `about:blank` that a page opened. */
async function ownOrigin(tabId: number, frameId: number): Promise<string> {
  try {
    const [answer] = await browser.scripting.executeScript({
      target: { tabId, frameIds: [frameId] },
      injectImmediately: true,
      func: () => globalThis.origin,
    });
    return typeof answer?.result === 'string' ? answer.result : 'null';
  } catch {
    // A page that no script may enter has nothing of a site.
    return 'null';
  }
}

function parentWithSite(frame: Frame, byId: ReadonlyMap<number, Frame>): string | null {
  for (let around = byId.get(frame.parentFrameId); around !== undefined;) {
    const site = siteOf(around.url);
    if (site !== null) return site.origin;
    around = byId.get(around.parentFrameId);
  }
  return null;
}
