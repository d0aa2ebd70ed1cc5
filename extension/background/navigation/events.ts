import type { z } from 'zod';
import type { RedirectHop as RedirectHopSchema } from '../../../shared/tools/navigate/methods.ts';

export type RedirectHop = z.infer<typeof RedirectHopSchema>;

/**
 * The browser's reports while a tab navigates, from `webNavigation`, `webRequest` and `tabs`; for the main frame only
 * unless noted. A request may be any frame's; `main` marks the document's own.
 */
export type NavigationEvent = { readonly tabId: number } & (
  | { readonly type: 'started'; readonly url: string }
  | { readonly type: 'committed'; readonly url: string; readonly isHistoryStep: boolean }
  | { readonly type: 'same_document'; readonly url: string; readonly isHistoryStep: boolean }
  | { readonly type: 'dom_content_loaded' | 'loaded' | 'tab_complete' | 'tab_removed' }
  | { readonly type: 'failed'; readonly url: string; readonly error: string }
  | { readonly type: 'tab_replaced'; readonly by: number }
  | {
      readonly type: 'request';
      readonly id: string;
      readonly url: string;
      readonly main: boolean;
      /** For the document of a frame, or of the tab. */
      readonly frame?: boolean;
      /** A script of the page requested it. */
      readonly isData?: boolean;
      readonly longLived: boolean;
    }
  | { readonly type: 'redirect'; readonly id: string; readonly hop: RedirectHop; readonly to: string }
  | {
      readonly type: 'response';
      readonly id: string;
      readonly status: number;
      readonly longLived: boolean;
      readonly file?: FileFacts;
    }
  | { readonly type: 'request_ended'; readonly id: string; readonly hasFailed: boolean }
  | { readonly type: 'sign_in_asked'; readonly id: string }
);

/** A file as its response's headers describe it; null for unknown facts. */
export interface FileFacts {
  readonly name: string | null;
  readonly contentType: string | null;
  /** The server asks to save it. */
  readonly isAttachment: boolean;
  /** On the wire. */
  readonly sizeBytes: number | null;
}

export type NavigationListener = (event: NavigationEvent) => void;

/** The source of events: the browser, or a test. Returns an unsubscribe function. */
export type NavigationSource = (listener: NavigationListener) => () => void;
