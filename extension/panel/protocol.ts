import type { Scope } from '../../shared/policy/decision.ts';
import type { REFUSALS } from '../../shared/policy/names.ts';
import type { Risk } from '../../shared/policy/risks.ts';
import type { PopupState } from '../popup/protocol.ts';

/** Name of the port on which a panel hears of agents and grants. What is asked has a port of its own. */
export const PANEL_PORT = 'panel';
/** The page of the side panel. */
export const PANEL_PAGE = 'panel/panel.html';

/** An agent that is connected; `server` is the version of its server. */
export interface ShownAgent {
  readonly name: string;
  readonly version: string;
  readonly server: string;
}

export interface ShownGrant {
  readonly id: string;
  readonly agent: string;
  readonly origin: string;
  readonly risks: readonly Risk[];
  readonly scope: Scope;
  /** Null for one that ends with the agent's session. */
  readonly expiresAt: number | null;
}

/** Left in a tab by a call of an agent, until its session ends. */
export interface HeldTab {
  readonly session: string;
  readonly title: string;
  readonly tool: 'emulate' | 'intercept';
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

/** Sent whole whenever something changes. */
export interface PanelState {
  readonly isConnected: boolean;
  readonly agents: readonly ShownAgent[];
  readonly grants: readonly ShownGrant[];
  readonly held: readonly HeldTab[];
  /** Decisions that were rejected, the latest first. */
  readonly refused: readonly { readonly at: number; readonly reason: (typeof REFUSALS)[number] }[];
  /** The connection, and the settings of this browser. */
  readonly own: PopupState;
  readonly policy: ShownPolicy;
  /** The browser lets the extension work on all sites. A person can take that back in the browser's settings. */
  readonly hasSiteAccess: boolean;
  /** It is the side panel: the same page in a tab shows and changes nothing. */
  readonly isPanel: boolean;
}
