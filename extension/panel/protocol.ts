import * as z from 'zod/mini';
import { REFUSALS, RISKS, SCOPES } from '../../shared/policy/names.ts';
import { PopupState, type PopupRequest } from '../popup/protocol.ts';

/** Name of the port on which a panel hears of agents and grants. What is asked has a port of its own. */
export const PANEL_PORT = 'panel';
/** The page of the side panel. */
export const PANEL_PAGE = 'panel/panel.html';

const Risks = z.readonly(z.array(z.enum(RISKS)));

/** An agent that is connected; `server` is the version of its server. */
const ShownAgent = z.object({ name: z.string(), version: z.string(), server: z.string() });
export type ShownAgent = z.infer<typeof ShownAgent>;

const ShownGrant = z.object({
  id: z.string(),
  agent: z.string(),
  origin: z.string(),
  risks: Risks,
  scope: z.enum(SCOPES),
  /** Null for one that ends with the agent's session. */
  expiresAt: z.nullable(z.number()),
});
export type ShownGrant = z.infer<typeof ShownGrant>;

/** A decision that was rejected. */
const ShownRefusal = z.object({ at: z.number(), reason: z.enum(REFUSALS) });

const ShownPolicy = z.object({
  allowed: Risks,
  asked: Risks,
  denied: Risks,
  /** The person's own rules. */
  rules: z.int(),
  /** What is stored cannot be read, so the defaults apply. */
  isDamaged: z.boolean(),
});
export type ShownPolicy = z.infer<typeof ShownPolicy>;

/** What a panel shows besides the questions; sent whole whenever something changes. */
export const PanelState = z.object({
  isConnected: z.boolean(),
  agents: z.readonly(z.array(ShownAgent)),
  grants: z.readonly(z.array(ShownGrant)),
  /** The latest first. */
  refused: z.readonly(z.array(ShownRefusal)),
  /** What the popup shows: the connection, and the settings of this browser. */
  own: PopupState,
  policy: ShownPolicy,
  /** The browser lets the extension work on all sites. A person can take that back in the browser's settings. */
  hasSiteAccess: z.boolean(),
  /** It is the side panel: the same page in a tab shows and changes nothing. */
  isPanel: z.boolean(),
});
export type PanelState = z.infer<typeof PanelState>;

/** What a panel asks for. Taken from the side panel alone. */
export type PanelRequest =
  | { readonly type: 'revoke'; readonly grant: string }
  | Exclude<PopupRequest, { readonly type: 'show_questions' }>;
