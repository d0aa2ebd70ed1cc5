import type { JsonObject } from '../../shared/json.ts';
import type { Scope } from '../../shared/policy/decision.ts';
import type { Risk } from '../../shared/policy/risks.ts';
import type { HumanAsk, TakeoverUntil } from '../../shared/policy/takeover.ts';

/** Name of the port from a page that shows questions to the worker. */
export const APPROVE_PORT = 'approve';
/** The page of the window. */
export const APPROVE_PAGE = 'approve/approve.html';
/** How long buttons do nothing after a question has appeared: a click in flight is not an answer. */
export const INERT_MS = 500;

interface Agent {
  readonly name: string;
  readonly version: string | null;
}

/** A question in the form that is shown. Texts of agents and pages are raw: `reveal` them. */
export interface ShownQuestion {
  readonly id: string;
  readonly agent: Agent;
  readonly tool: string;
  readonly title: string;
  /** Null if they are too large to show. */
  readonly args: JsonObject | null;
  readonly isEditable: boolean;
  /** `button Save`. Null until the page has answered: buttons wait. */
  readonly elements: Readonly<
    Record<
      string,
      {
        readonly line: string;
        readonly leads: { readonly how: 'form' | 'link'; readonly url: string } | null;
        readonly isPassword?: boolean | undefined;
      }
    >
  > | null;
  /** Null if no picture can be taken. `data` is a `data:` address, which arrives after the question. */
  readonly picture: { readonly data: string | null } | null;
  readonly risks: readonly Risk[];
  /** The document, or the address that is opened or fetched. */
  readonly url: string;
  readonly origin: string;
  /** Null if it concerns no tab, or one that is gone. */
  readonly tab: { readonly title: string; readonly url: string } | null;
  readonly scopes: readonly Scope[];
  /** The scope of the last yes to this agent on this site, or `once`. */
  readonly scope: Scope;
  /** When nobody can answer any longer, in milliseconds since the epoch. */
  readonly endsAt: number;
  /** Number of questions of this kind, including this one. */
  readonly count: number;
}

/** A tab for a person to take over, or a question to them. Texts of agents and pages are raw. */
export interface ShownTakeover {
  readonly id: string;
  /** Proves that a click refers to what this page showed; null in a page that decides nothing. */
  readonly token: string | null;
  readonly agent: Agent;
  readonly message: string;
  /** Null for a tab. */
  readonly ask: HumanAsk | null;
  /** The condition that ends it without a click. */
  readonly until: TakeoverUntil | null;
  /** The page in the tab. */
  readonly url: string;
  readonly title: string;
  /** When the tab goes back to the agent, in milliseconds since the epoch. */
  readonly endsAt: number;
  readonly more: number;
}

/** Everything that a page shows; sent whole whenever something changes. */
export interface ApproveState {
  readonly question: ShownQuestion | null;
  readonly takeover: ShownTakeover | null;
  /** Proves that a decision refers to what this page showed; null in a page that decides nothing. */
  readonly token: string | null;
  /** Number of later questions of other kinds. */
  readonly more: number;
  /** Why this page's last decision was rejected, or null. */
  readonly refused: string | null;
  /** A person pressed Cancel on the browser's debugging bar, so allowed calls fail. */
  readonly isDebuggingCancelled: boolean;
}
