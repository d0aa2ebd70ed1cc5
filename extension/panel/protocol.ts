import * as z from 'zod/mini';
import { REFUSALS, RISKS, SCOPES } from '../../shared/policy/names.ts';
import type { Refusal } from '../../shared/policy/question-methods.ts';
import type { Risk } from '../../shared/policy/risks.ts';
import type { Scope } from '../../shared/policy/decision.ts';
import { PopupState, type PopupRequest } from '../popup/protocol.ts';

/** Name of the port on which a panel hears of agents and grants. What is asked has a port of its own. */
export const PANEL_PORT = 'panel';
/** The page of the side panel. */
export const PANEL_PAGE = 'panel/panel.html';

/** An agent that is connected. */
export interface ShownAgent {
  readonly name: string;
  readonly version: string;
  /** Version of its server. */
  readonly server: string;
}

/** What a person has allowed and can end. */
export interface ShownGrant {
  readonly id: string;
  readonly agent: string;
  readonly origin: string;
  readonly risks: readonly Risk[];
  readonly scope: Scope;
  /** Null for one that ends with the agent's session. */
  readonly expiresAt: number | null;
}

/** A decision that was not taken. */
export interface ShownRefusal {
  readonly at: number;
  readonly reason: Refusal['reason'];
}

/** What the rules in force say of acts where no rule names a site. */
export interface ShownPolicy {
  readonly allowed: readonly Risk[];
  readonly asked: readonly Risk[];
  readonly denied: readonly Risk[];
  /** The person's own rules. */
  readonly rules: number;
  /** What is stored cannot be read, so the defaults hold. */
  readonly isDamaged: boolean;
}

/** What a panel shows besides the questions; sent whole whenever something changes. */
export interface PanelState {
  readonly isConnected: boolean;
  readonly agents: readonly ShownAgent[];
  readonly grants: readonly ShownGrant[];
  /** The latest first. */
  readonly refused: readonly ShownRefusal[];
  /** What the popup shows: the connection, and the settings of this browser. */
  readonly own: PopupState;
  readonly policy: ShownPolicy;
  /** The browser lets the extension work on all sites. A person can take that back in the browser's settings. */
  readonly hasSiteAccess: boolean;
  /** It is the side panel: the same page in a tab shows and changes nothing. */
  readonly isPanel: boolean;
}

/** What a panel asks for. Taken from the side panel alone. */
export type PanelRequest =
  | { readonly type: 'revoke'; readonly grant: string }
  | Exclude<PopupRequest, { readonly type: 'show_questions' }>;

// ---- what the worker sends, as the schema that the page parses with -----------------------------------

const Risks = z.array(z.enum(RISKS));

export const PanelState = z.object({
  isConnected: z.boolean(),
  agents: z.array(z.object({ name: z.string(), version: z.string(), server: z.string() })),
  grants: z.array(
    z.object({
      id: z.string(),
      agent: z.string(),
      origin: z.string(),
      risks: Risks,
      scope: z.enum(SCOPES),
      expiresAt: z.nullable(z.number()),
    }),
  ),
  refused: z.array(
    z.object({
      at: z.number(),
      reason: z.enum(REFUSALS),
    }),
  ),
  own: PopupState,
  policy: z.object({
    allowed: Risks,
    asked: Risks,
    denied: Risks,
    rules: z.int(),
    isDamaged: z.boolean(),
  }),
  hasSiteAccess: z.boolean(),
  isPanel: z.boolean(),
}) satisfies z.ZodMiniType<PanelState>;
