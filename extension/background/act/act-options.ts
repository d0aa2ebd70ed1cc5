import type { MethodParams } from '../../../shared/bridge/methods.ts';
import type { TabRequests } from '../navigation/tab-requests.ts';
import type { PageChannels } from '../pages/channels.ts';
import type { RefBook, ShownTo } from '../pages/ref-book.ts';
import type { ActDebugger, ActDebuggers } from './act-debugger.ts';
import type { ActTraffic } from './settle.ts';
import type { CallPolicy } from '../policy/call-policy.ts';
import { documentsOfCall } from '../policy/documents.ts';
import type { Dialogs } from './dialogs.ts';
import type { TabDownloads } from './downloads.ts';
import type { OpeningsWatch, TabOpenings } from './openings.ts';
import type { Uploads } from './files.ts';

export interface ActServices {
  readonly channels: PageChannels;
  /** Checked for each document of a step. */
  readonly policy: CallPolicy;
  readonly requests: TabRequests;
  readonly acting: ActDebuggers;
  readonly openings: TabOpenings;
  readonly downloads: TabDownloads;
  readonly uploads: Uploads;
  readonly dialogs: Dialogs;
  /** Reports progress. It throws once the call may no longer act on the tab. */
  readonly onStep: () => void;
  readonly refBook: RefBook;
}

export interface ActOptions extends ActServices {
  readonly attached: ActDebugger | null;
  readonly opened: OpeningsWatch;
  /** Resolves once the state before the act is recorded. */
  readonly baseline: Promise<void>;
  readonly traffic: ActTraffic;
  readonly signal: AbortSignal;
}

/** The readable documents of an act's tab. */
export const readableOf = (
  { channels, policy }: ActServices,
  how: { readonly waits?: boolean } = {},
): PageChannels => documentsOfCall(channels, policy, { risks: ['read'], ...how });

/** The session that sees the refs of an act's receipt. */
export const shownTo = ({ caller }: MethodParams<'act.run'>, { refBook: book }: ActServices): ShownTo => ({
  book,
  viewer: caller.session,
});
