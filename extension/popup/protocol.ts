import * as z from 'zod/mini';
import { LINK_FAULTS } from '../words/link-faults.ts';

/** Name of the port that an open popup holds to the worker. */
export const POPUP_PORT = 'popup';

const Fault = z.object({ kind: z.enum(LINK_FAULTS), message: z.nullable(z.string()) });

/** Everything that the popup shows; sent whole whenever something changes. */
export const PopupState = z.object({
  /** The connection to the native host. */
  link: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('connecting'), fault: z.nullable(Fault) }),
    z.object({ kind: z.literal('connected') }),
    /** `retryAt`: when the next attempt starts, in milliseconds since the epoch. */
    z.object({ kind: z.literal('failed'), fault: Fault, retryAt: z.number() }),
  ]),
  servers: z.readonly(
    z.array(
      z.object({
        version: z.string(),
        clients: z.readonly(z.array(z.object({ name: z.string(), version: z.string() }))),
      }),
    ),
  ),
  browser: z.object({ name: z.string(), version: z.string(), label: z.nullable(z.string()) }),
  /** Begins the id of this profile: agents tell browsers without a name apart by it. */
  tag: z.string(),
  /** How a terminal starts Spillway; null until the host has reported it. */
  command: z.nullable(z.string()),
  /** A person pressed Cancel on the browser's debugging bar, and has not allowed it again. */
  isDebuggingCancelled: z.boolean(),
  /** Questions that wait for a person. */
  questions: z.int(),
  /** The person wants to be asked before agents act. */
  asks: z.boolean(),
  /** The person lets agents' own clients answer. */
  clientAnswers: z.boolean(),
  /** Version of the extension. */
  version: z.string(),
});
export type PopupState = z.infer<typeof PopupState>;

export type PopupRequest =
  | { readonly type: 'label'; readonly label: string }
  | { readonly type: 'retry' }
  | { readonly type: 'allow_debugging' }
  | { readonly type: 'asks'; readonly asks: boolean }
  | { readonly type: 'client_answers'; readonly areAllowed: boolean }
  /** Brings the window to the front in which people decide. */
  | { readonly type: 'show_questions' };
