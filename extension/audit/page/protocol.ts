import type * as z from 'zod/mini';
import type * as messages from '../../core/ports/page-messages.ts';
import type { Sent } from '../../core/ports/page-messages.ts';
import type { Showing } from '../../core/page/protocol.ts';

/** Messages between worker and audit script: `run` in each document, `finish` in the first, `show` in each again. */
export const AUDIT_PORT = 'spillway.audit';

/** Tags or rules of axe-core to run. */
export interface RunOnly {
  readonly type: 'tag' | 'rule';
  readonly values: readonly string[];
}

/** The part of the page to check. */
export type AuditScope =
  | { readonly selector: string }
  | { readonly ref: string; readonly viewer: string }
  /** In a frame: axe-core's context for it, as JSON. */
  | { readonly context: string };

export type ToAudit =
  | {
      readonly type: 'run';
      readonly id: number;
      /** Null for the whole document. */
      readonly scope: AuditScope | null;
      readonly runOnly: RunOnly;
      /** Rules that would take longer are left out. */
      readonly budgetMs: number;
    }
  | {
      readonly type: 'finish';
      readonly id: number;
      /** The documents' results in the order of their frames; null for a frame without any. */
      readonly partials: readonly (string | null)[];
      readonly runOnly: RunOnly;
      readonly unfinished: readonly string[];
    }
  /** Shows the caller elements by their numbers. */
  | {
      readonly type: 'show';
      readonly id: number;
      readonly elements: readonly number[];
      readonly prefix: string;
      readonly showing: Showing;
    }
  | { readonly type: 'cancel'; readonly id: number };

export type FromAudit = Sent<z.infer<typeof messages.FromAudit>>;
