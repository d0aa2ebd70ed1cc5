import type { ShownFault } from '../../ui/words/en/link.ts';

/** Name of the port between an open popup and the worker. */
export const POPUP_PORT = 'popup';

/** The popup's whole state, sent on every change. */
export interface PopupState {
  /** The connection to the native host. `retryAt`: when the next attempt starts, in milliseconds since the epoch. */
  readonly link:
    | { readonly kind: 'connecting'; readonly fault: ShownFault | null }
    | { readonly kind: 'connected' }
    | { readonly kind: 'failed'; readonly fault: ShownFault; readonly retryAt: number };
  readonly servers: readonly {
    readonly version: string;
    /** Unique for a process. */
    readonly instance: string;
    readonly clients: readonly { readonly name: string; readonly version: string }[];
  }[];
  /** Names of the agents that the person has stopped; null: everyone. */
  readonly stopped: readonly (string | null)[];
  /** The agents that the tab in front is lent to; null if the person cannot lend it. */
  readonly front: { readonly lentTo: readonly { readonly server: string; readonly agent: string }[] } | null;
  readonly browser: { readonly name: string; readonly version: string; readonly label: string | null };
  /** The start of this profile's id: it tells browsers without a name apart. */
  readonly tag: string;
  /** The terminal command that starts Spillway; null until the host has reported it. */
  readonly command: string | null;
  /** Names of the clients whose settings start Spillway. */
  readonly entries: readonly string[];
  /** A person pressed Cancel on the browser's debugging bar and has not allowed debugging again. */
  readonly isDebuggingCancelled: boolean;
  readonly questions: number;
  /** Agents need approval before they act. */
  readonly asks: boolean;
  /** Agents' own clients may answer questions. */
  readonly clientAnswers: boolean;
  readonly version: string;
}
