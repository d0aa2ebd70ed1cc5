import type { Grant } from '../../../shared/core/policy/decision.ts';
import type { REFUSALS } from '../../../shared/core/policy/names.ts';
import type { Risk } from '../../../shared/core/policy/risks.ts';
import type { RecordedStep } from '../../point/recorded-port.ts';
import type { PopupState } from '../../install/popup/protocol.ts';

/** Name of the port that sends a panel agents and grants. Questions have a port of their own. */
export const PANEL_PORT = 'panel';
/** The port that sends a panel the servers' activity: see ports/feed.ts. */
export const FEED_PORT = 'feed';
export const PANEL_PAGE = 'ui/frame/panel.html';

type ShownGrant = Pick<Grant, 'id' | 'agent' | 'origin' | 'risks' | 'scope' | 'expires_at'>;

/** State that an agent's call left in a tab, until its session ends. */
export interface HeldTab {
  readonly session: string;
  readonly title: string;
  readonly tool: 'emulate' | 'intercept' | 'record_video' | 'trace';
  readonly parts: readonly string[];
}

export interface ShownPolicy {
  readonly allowed: readonly Risk[];
  readonly asked: readonly Risk[];
  readonly denied: readonly Risk[];
  /** The person's own rules. */
  readonly rules: number;
  readonly isDamaged: boolean;
}

/** An element that the person points at, picks, and gives to an agent. Problems are codes of errors. */
export type ShownPick =
  | { readonly step: 'pointing' }
  | {
      readonly step: 'picked';
      /** `button Save` */
      readonly line: string;
      /** A `data:` address. */
      readonly picture: string | null;
      /** Why it could not be sent. */
      readonly problem: string | null;
    }
  | { readonly step: 'sent'; readonly agent: string }
  | { readonly step: 'failed'; readonly problem: string };

export interface ShownStep {
  readonly step: RecordedStep;
  /** The name that is proposed for its text as a parameter; null without a text. */
  readonly parameter: string | null;
  /** Its text is not known, so it has to be a parameter. */
  readonly isOpen: boolean;
  /** Later steps are in its tab. */
  readonly isFixed: boolean;
}

/** A person's acts, until they keep them as a recipe. Problems are codes of errors. */
export type ShownRecording =
  | {
      readonly step: 'recording' | 'editing';
      readonly steps: readonly ShownStep[];
      /** Acts that no step can repeat. */
      readonly left: number;
      /** An agent acted in one of the tabs: what was done there at that moment is not recorded. */
      readonly hasAgent: boolean;
      /** Why it has ended, or was not kept. */
      readonly problem: string | null;
      /** The last site that the rules keep from agents: nothing is recorded there. */
      readonly deniedSite: string | null;
    }
  | { readonly step: 'kept'; readonly name: string }
  | { readonly step: 'failed'; readonly problem: string };

/** A tab of the person's that an agent may use. */
interface ShownLoan extends Pick<Grant, 'id' | 'agent' | 'origin' | 'scope'> {
  readonly title: string;
}

/** Sent whole on every change. */
export interface PanelState {
  /** Without loans. */
  readonly grants: readonly ShownGrant[];
  readonly lent: readonly ShownLoan[];
  readonly pick: ShownPick | null;
  readonly recording: ShownRecording | null;
  readonly held: readonly HeldTab[];
  /** Rejected decisions, the latest first. */
  readonly refused: readonly { readonly at: number; readonly reason: (typeof REFUSALS)[number] }[];
  /** The connection, and the settings of this browser. */
  readonly own: PopupState;
  readonly policy: ShownPolicy;
  /** The extension may work on all sites. A person can revoke that in the browser's settings. */
  readonly hasSiteAccess: boolean;
  /** Whether it is the side panel: the same page in a tab is read-only. */
  readonly isPanel: boolean;
}
