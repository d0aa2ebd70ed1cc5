import type { z } from 'zod';
import type { RedirectHop as RedirectHopSchema } from '../../../shared/tools/navigate/methods.ts';

export type RedirectHop = z.infer<typeof RedirectHopSchema>;

export interface NavigationOutcome {
  /** The tab's id, which the browser may have changed on the way. */
  readonly tabId: number;
  /** HTTP status of the main document, or null without one. */
  readonly status: number | null;
  readonly redirects: readonly RedirectHop[];
}
