import * as z from 'zod/mini';
import { isObject, type JsonObject } from '../../shared/json.ts';
import { RISKS, SCOPES } from '../../shared/policy/names.ts';
import type { Scope } from '../../shared/policy/decision.ts';
import type { HumanAnswer } from '../../shared/policy/takeover.ts';

/** Name of the port that a page which shows questions holds to the worker. */
export const APPROVE_PORT = 'approve';
/** The page of the window. */
export const APPROVE_PAGE = 'approve/approve.html';
/** How long buttons do nothing after a question has appeared: a click that was on its way is not an answer. */
export const INERT_MS = 500;

const text = z.optional(z.string());
const number = z.optional(z.number());
const Texts = z.readonly(z.array(z.string()));
const Agent = z.object({ name: z.string(), version: z.nullable(z.string()) });

/** A question as it is shown. Texts of agents and pages are as they came: `reveal` them. */
const ShownQuestion = z.object({
  id: z.string(),
  agent: Agent,
  tool: z.string(),
  title: z.string(),
  /** Null where they are too large to show. */
  args: z.nullable(z.custom<JsonObject>((value) => isObject(value))),
  isEditable: z.boolean(),
  /** What the page says of the elements that the call names: `button Save`. Null until it has answered: buttons rest. */
  elements: z.nullable(
    z.record(
      z.string(),
      z.object({
        line: z.string(),
        leads: z.nullable(z.object({ how: z.enum(['form', 'link']), url: z.string() })),
        isPassword: z.optional(z.boolean()),
      }),
    ),
  ),
  /** Null if no picture can be taken. `data` is a `data:` address, which arrives after the question. */
  picture: z.nullable(z.object({ data: z.nullable(z.string()) })),
  risks: z.readonly(z.array(z.enum(RISKS))),
  /** The document, or the address that is opened or fetched. */
  url: z.string(),
  origin: z.string(),
  /** Null for what concerns no tab, or one that is gone. */
  tab: z.nullable(z.object({ title: z.string(), url: z.string() })),
  scopes: z.readonly(z.array(z.enum(SCOPES))),
  /** That of the last yes to this agent on this site, or `once`. */
  scope: z.enum(SCOPES),
  /** When nobody can answer any longer, in milliseconds since the epoch. */
  endsAt: z.number(),
  /** Questions of this kind, with this one. */
  count: z.int(),
});
export type ShownQuestion = z.infer<typeof ShownQuestion>;

const Form = z.object({
  type: z.literal('object'),
  properties: z.record(
    z.string(),
    z.object({
      type: z.enum(['string', 'number', 'integer', 'boolean']),
      title: text,
      description: text,
      enum: z.optional(Texts),
      minLength: number,
      maxLength: number,
      minimum: number,
      maximum: number,
    }),
  ),
  required: z.optional(Texts),
});

/** A tab that a person is asked to take over, or a question to them. Texts of agents and pages are as they came. */
const ShownTakeover = z.object({
  id: z.string(),
  /** Proves that a click is about what this page was shown; null in a page that decides nothing. */
  token: z.nullable(z.string()),
  agent: Agent,
  message: z.string(),
  /** Null for a tab. */
  ask: z.nullable(
    z.object({
      type: z.enum(['approval', 'text', 'choice', 'form']),
      choices: z.optional(Texts),
      schema: z.optional(Form),
    }),
  ),
  /** When it is done without a click. */
  until: z.nullable(
    z.object({
      text,
      text_gone: text,
      target: text,
      target_gone: text,
      url: text,
      mode: z.optional(z.enum(['all', 'any'])),
    }),
  ),
  /** The page that the tab shows. */
  url: z.string(),
  title: z.string(),
  /** When the tab goes back to the agent, in milliseconds since the epoch. */
  endsAt: z.number(),
  more: z.int(),
});
export type ShownTakeover = z.infer<typeof ShownTakeover>;

/** Everything that a page shows; sent whole whenever something changes. */
export const ApproveState = z.object({
  question: z.nullable(ShownQuestion),
  takeover: z.nullable(ShownTakeover),
  /** Proves that a decision is about what this page was shown; null in a page that decides nothing. */
  token: z.nullable(z.string()),
  /** Questions of other kinds that come after this one. */
  more: z.int(),
  /** Why the last decision of this page was not taken, or null. */
  refused: z.nullable(z.string()),
  /** A person pressed Cancel on the browser's debugging bar, so that what is allowed fails. */
  isDebuggingCancelled: z.boolean(),
});
export type ApproveState = z.infer<typeof ApproveState>;

/** A person answers a take-over: they want to see the tab, are done, or refuse. An answer to a question counts as done. */
export interface TakeoverRequest {
  readonly type: 'takeover';
  readonly takeover: string;
  readonly token: string;
  readonly act: 'show' | 'done' | 'decline';
  readonly reason?: string | undefined;
  readonly answer?: HumanAnswer | undefined;
}

export type ApproveRequest =
  | TakeoverRequest
  | {
      readonly type: 'decide';
      readonly question: string;
      readonly token: string;
      readonly answer:
        | { readonly approve: true; readonly scope: Scope; readonly args?: JsonObject | undefined }
        | { readonly approve: false; readonly reason?: string | undefined };
    }
  /** To bring the window to the front, or to open it again. */
  | { readonly type: 'show_window' }
  /** Undoes the Cancel. */
  | { readonly type: 'allow_debugging' };
