import type { z } from 'zod';
import type { RedirectHop as RedirectHopSchema } from '../../../shared/tools/navigate/methods.ts';

type RedirectHop = z.infer<typeof RedirectHopSchema>;

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

export interface NavigationOutcome {
  /** The tab's id, which the browser may have changed on the way. */
  readonly tabId: number;
  /** HTTP status of the main document, or null without one. */
  readonly status: number | null;
  readonly redirects: readonly RedirectHop[];
}

/** One load of a main document, from its start to its `load` event. */
export interface DocumentLoad {
  url: string;
  /** Null until the request is seen, and for loads without one (about:, file:, back/forward cache). */
  requestId: string | null;
  /** Whether `webNavigation` announced it; the request may be reported first. */
  announced: boolean;
  ours: boolean;
  redirects: RedirectHop[];
  status: number | null;
  /** Null until its response is seen. */
  file: FileFacts | null;
  responseMark: number | null;
  domContentLoaded: boolean;
  loaded: boolean;
}

export function newLoad(url: string, ours: boolean): DocumentLoad {
  return {
    url,
    requestId: null,
    announced: false,
    ours,
    redirects: [],
    status: null,
    file: null,
    responseMark: null,
    domContentLoaded: false,
    loaded: false,
  };
}

/** Content types that browsers always show. They sniff others, and save some: text with odd bytes, images, PDFs. */
const PAGE = /^(?:text\/html|application\/xhtml\+xml)\b/i;

/** Whether browsers show its response as a page: neither a file to save nor an empty response. */
export function isPage({ status, file }: DocumentLoad): boolean {
  if (status === null || status === 204 || status === 205 || file === null) return false;
  return !file.isAttachment && PAGE.test(file.contentType ?? '');
}

/** The address without fragment and user, as both requests and navigations report it. */
export function bareUrl(url: string): string {
  try {
    const parsed = new URL(url);
    parsed.hash = '';
    parsed.username = '';
    parsed.password = '';
    return parsed.href;
  } catch {
    return url;
  }
}
