import type { ShownFault } from '../words/link-faults.ts';

/** Name of the port that an open popup holds to the worker. */
export const POPUP_PORT = 'popup';

/** Everything that the popup shows; sent whole whenever something changes. */
export interface PopupState {
  /** The connection to the native host. `retryAt`: when the next attempt starts, in milliseconds since the epoch. */
  readonly link:
    | { readonly kind: 'connecting'; readonly fault: ShownFault | null }
    | { readonly kind: 'connected' }
    | { readonly kind: 'failed'; readonly fault: ShownFault; readonly retryAt: number };
  readonly servers: readonly {
    readonly version: string;
    readonly clients: readonly { readonly name: string; readonly version: string }[];
  }[];
  readonly browser: { readonly name: string; readonly version: string; readonly label: string | null };
  /** Begins the id of this profile: agents tell browsers without a name apart by it. */
  readonly tag: string;
  /** How a terminal starts Spillway; null until the host has reported it. */
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
