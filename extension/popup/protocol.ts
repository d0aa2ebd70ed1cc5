import * as z from 'zod/mini';
import type { BrowserFacts } from '../../shared/bridge/hello.ts';
import { LINK_FAULTS, type ShownFault } from '../words/link-faults.ts';

/** Name of the port that an open popup holds to the worker. */
export const POPUP_PORT = 'popup';

/** What the popup shows of the connection to the native host. */
type ShownLink =
  | { readonly kind: 'connecting'; readonly fault: ShownFault | null }
  | { readonly kind: 'connected' }
  /** `retryAt`: when the next attempt starts, in milliseconds since the epoch. */
  | { readonly kind: 'failed'; readonly fault: ShownFault; readonly retryAt: number };

/** What the popup shows of a connected server. */
interface ShownServer {
  readonly version: string;
  readonly clients: readonly { readonly name: string; readonly version: string }[];
}

/** Everything that the popup shows; sent whole whenever something changes. */
export interface PopupState {
  readonly link: ShownLink;
  readonly servers: readonly ShownServer[];
  readonly browser: BrowserFacts;
  /** How a terminal starts Spillway; null until a host has message it. */
  readonly command: string | null;
  /** A person pressed Cancel on the browser's debugging bar, and has not allowed it again. */
  readonly isDebuggingCancelled: boolean;
  /** Questions that wait for a person. */
  readonly questions: number;
  /** The person wants to be asked before agents act. */
  readonly asks: boolean;
  /** The person lets agents' own clients answer. */
  readonly clientAnswers: boolean;
  /** Version of the extension. */
  readonly version: string;
}

/** What the popup asks for. */
export type PopupRequest =
  | { readonly type: 'label'; readonly label: string }
  | { readonly type: 'retry' }
  | { readonly type: 'allow_debugging' }
  | { readonly type: 'asks'; readonly asks: boolean }
  | { readonly type: 'client_answers'; readonly areAllowed: boolean }
  /** Brings the window to the front in which people decide. */
  | { readonly type: 'show_questions' };

// ---- what the worker sends, as the schema that the popup parses with --------------------------------

const Fault = z.object({ kind: z.enum(LINK_FAULTS), message: z.nullable(z.string()) });

export const PopupState = z.object({
  link: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('connecting'), fault: z.nullable(Fault) }),
    z.object({ kind: z.literal('connected') }),
    z.object({ kind: z.literal('failed'), fault: Fault, retryAt: z.number() }),
  ]),
  servers: z.array(
    z.object({
      version: z.string(),
      clients: z.array(z.object({ name: z.string(), version: z.string() })),
    }),
  ),
  browser: z.object({ name: z.string(), version: z.string(), label: z.nullable(z.string()) }),
  command: z.nullable(z.string()),
  isDebuggingCancelled: z.boolean(),
  questions: z.int(),
  asks: z.boolean(),
  clientAnswers: z.boolean(),
  version: z.string(),
}) satisfies z.ZodMiniType<PopupState>;
