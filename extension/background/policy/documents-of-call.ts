import type { Risk } from '../../../shared/policy/risks.ts';
import { siteOf } from '../../../shared/policy/sites.ts';
import type { ChannelPlace, PageChannels } from '../pages/channels.ts';
import type { PageMessage } from '../pages/channel.ts';
import type { CallPolicy, Place } from './call-policy.ts';
import { placeOfFrame } from './documents.ts';

/**
 * The channels of one call: the rules are asked about each document at the moment when the call turns to it. A person
 * is asked about the page, and about frames that a call names; a frame that a call only comes across is left out.
 *
 * @param frames whether the call names the frames that it turns to
 * @param waits whether a channel waits for the ledger, too
 * @param isPart whether the call is part of a crawl: a person was asked, and the ledger told, when that began
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
    const place = await placeOf(channel);
    // The tab is the crawl's own: what was allowed is the address.
    const judged = isPart ? { ...place, tabId: null, documentId: null } : place;
    await policy.expect(judged, risks, { asks: mayAsk, waits, isRecorded: !isPart });
  });
}

/** A document without a site of its own has that of the frame around it. */
async function placeOf({ tabId, frameId, documentId, url, origin }: ChannelPlace): Promise<Place> {
  const place = { url, origin, tabId, documentId };
  const isKnown = siteOf(origin ?? '') !== null || siteOf(url) !== null;
  return isKnown || frameId === 0 ? place : ((await placeOfFrame(tabId, frameId)) ?? place);
}
