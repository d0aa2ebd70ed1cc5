import type { FileFacts, RedirectHop } from './events.ts';

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
