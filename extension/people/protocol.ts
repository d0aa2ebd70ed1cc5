import type { ShownElements } from '../core/ports/shown-element.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import type { FlowSource } from '../../shared/core/policy/call-facts.ts';
import type { Scope } from '../../shared/core/policy/decision.ts';
import type { Risk } from '../../shared/core/policy/risks.ts';
import type { HumanAsk, TakeoverUntil } from '../../shared/people/takeover.ts';

/** Name of the port between a page with questions and the worker. */
export const APPROVE_PORT = 'approve';
export const APPROVE_PAGE = 'people/approve/approve.html';
/** How long buttons ignore clicks after a question has appeared: a click in flight is not an answer. */
export const INERT_MS = 500;

type Agent = { readonly name: string; readonly version: string | null };

/** Something that a person would lose if the tab left its page. `name` is a field’s, or empty for further ones. */
export type AtStake =
  | { readonly kind: 'text'; readonly name: string }
  /** `unknown`: the page did not answer. */
  | { readonly kind: 'upload' | 'dialog' | 'call' | 'sound' | 'unknown' };

/** A tab of a card. `container` is the name of one of Firefox's. */
export interface ShownTab {
  readonly title: string;
  readonly url: string;
  readonly container?: string | undefined;
}

/** A question as it is shown. Texts of agents and pages are raw: `reveal` them. */
export interface ShownQuestion {
  readonly id: string;
  readonly agent: Agent;
  readonly tool: string;
  readonly title: string;
  /** Null if they are too large to show. */
  readonly args: JsonObject | null;
  readonly isEditable: boolean;
  /** Names such as `button Save`. Null until the page has answered: buttons wait. */
  readonly elements: ShownElements | null;
  /** Null if no picture is possible. `data` is a `data:` address that arrives later than the question. */
  readonly picture: { readonly data: string | null } | 'on_request' | null;
  readonly risks: readonly Risk[];
  /** The document, or the address being opened or fetched. */
  readonly url: string;
  readonly origin: string;
  /** Null without a tab, or if it is gone. */
  readonly tab: ShownTab | null;
  /** The sites whose text would come to `origin`. */
  readonly carried: readonly FlowSource[];
  /** In a person's own tab. */
  readonly atStake: readonly AtStake[];
  /** The tab is a person's own. */
  readonly isLent: boolean;
  /** The steps for which the person chooses files. */
  readonly chosen: readonly number[];
  readonly scopes: readonly Scope[];
  /** The scope of the last approval for this agent on this site, or `once`. */
  readonly scope: Scope;
  /** When the question expires, in milliseconds since the epoch. */
  readonly endsAt: number;
  /** Number of questions of this kind, including this one. */
  readonly count: number;
}

/** A tab to take over, or a question to the person. Texts of agents and pages are raw. */
export interface ShownTakeover extends ShownTab {
  readonly id: string;
  /** Proves that a click refers to what this page showed; null in a page without decisions. */
  readonly token: string | null;
  readonly agent: Agent;
  readonly message: string;
  /** Null for a tab. */
  readonly ask: HumanAsk | null;
  /** The condition that ends it without a click. */
  readonly until: TakeoverUntil | null;
  /** When the agent gets the tab back, in milliseconds since the epoch. */
  readonly endsAt: number;
  readonly more: number;
}

/** The page's whole state, sent on every change. */
export interface ApproveState {
  readonly question: ShownQuestion | null;
  readonly takeover: ShownTakeover | null;
  /** Proves that a decision refers to what this page showed; null in a page without decisions. */
  readonly token: string | null;
  /** Number of later questions of other kinds. */
  readonly more: number;
  /** Why this page's last decision was rejected, or null. */
  readonly refused: string | null;
  /** A person pressed Cancel on the browser's debugging bar, so allowed calls fail. */
  readonly isDebuggingCancelled: boolean;
}
