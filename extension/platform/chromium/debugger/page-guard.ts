import { stringOrEmpty } from '../../../../shared/base/json.ts';
import { SpillwayError } from '../../../../shared/base/errors.ts';
import { forbiddenPage } from '../../../core/pages/targets.ts';
import { cutUrl } from '../../../../shared/base/cut.ts';

const URL_UNITS = 200;

type Params = Readonly<Record<string, unknown>>;

/** One CDP event; `sessionId` names a frame's or worker's session below the tab. */
export interface DebuggerEvent {
  readonly sessionId: string | null;
  readonly method: string;
  readonly params: Params;
}

const copyMember = (params: Params, name: string): Params => {
  const part = params[name];
  return typeof part === 'object' && part !== null ? { ...part } : {};
};
const isAllowed = (url: string): boolean => forbiddenPage(url) === null;

/** Reports the frames and workers below a tab to its debugger. */
const OF_TARGETS = 'Target.setAutoAttach';

/**
 * Keeps commands within their tab: a target's id could reach something outside tabs, such as the side panel in which
 * people decide.
 * @throws SpillwayError `page_forbidden`
 */
export function checkCommand(tabId: number, method: string): void {
  if (!/^(?:Target|Browser)\./.test(method) || method === OF_TARGETS) return;
  throw new SpillwayError('page_forbidden', `Tab ${tabId}: ${method} reaches beyond the tab.`);
}

/** The error of a tab that shows a forbidden page, or null. */
function refusal(tabId: number, url: string): SpillwayError | null {
  const what = forbiddenPage(url);
  if (what === null) return null;
  return new SpillwayError('page_forbidden', `Tab ${tabId} shows ${cutUrl(url, URL_UNITS)}, ${what}.`);
}

/**
 * Keeps the debugger away from pages that no tool may see. The browser itself refuses most of them, but neither this
 * extension's own pages nor a page's source view.
 */
export class PageGuard {
  /** @param onForbidden called when a tab has come to a forbidden page, possibly more than once */
  constructor(private readonly onForbidden: (tabId: number, error: SpillwayError) => void) {
    chrome.webNavigation.onCommitted.addListener(({ tabId, frameId, url }) => {
      if (frameId === 0) this.#saw(tabId, url);
    });
    // The committed address of `view-source:` is that of the page.
    chrome.tabs.onUpdated.addListener((tabId, { url }) => {
      if (url !== undefined) this.#saw(tabId, url);
    });
  }

  /**
   * Checks a debugger event, which may precede the browser's own. False for events of a request for a forbidden page,
   * which begins before the page is shown. An event without an address passes: it means nothing without the event that
   * began the request.
   */
  passes(tabId: number, { sessionId, method, params }: DebuggerEvent): boolean {
    const { documentURL, type } = params;
    const frame = copyMember(params, 'frame');
    if (method === 'Page.frameNavigated' && sessionId === null && frame['parentId'] === undefined)
      this.#saw(tabId, stringOrEmpty(frame['url']));
    const requested = copyMember(params, 'request')['url'] ?? copyMember(params, 'response')['url'];
    return (
      isAllowed(stringOrEmpty(documentURL)) && (type !== 'Document' || isAllowed(stringOrEmpty(requested)))
    );
  }

  /** @throws SpillwayError `page_forbidden`. For a missing tab the debugger fails. */
  async check(tabId: number): Promise<void> {
    const tab = await chrome.tabs.get(tabId).catch(() => null);
    // A tab on its way to one, such as a newly opened window, shows nothing yet.
    const error = refusal(tabId, tab?.url ?? '') ?? refusal(tabId, tab?.pendingUrl ?? '');
    if (error !== null) throw error;
  }

  #saw(tabId: number, url: string): void {
    const error = refusal(tabId, url);
    if (error !== null) this.onForbidden(tabId, error);
  }
}

/** A frame of another process or a worker, which has a session below the tab's. */
export interface Target {
  readonly session: string;
  /** The session that announced it; null for the tab's own. */
  readonly parent: string | null;
  /** `iframe`, `worker`, `service_worker`… */
  readonly type: string;
  /** The address at which it began. */
  readonly url: string;
  readonly announcement: DebuggerEvent;
}

/** The target that an event announces, or null. */
export function targetIn(event: DebuggerEvent): Target | null {
  const { method, params, sessionId: parent } = event;
  if (method !== 'Target.attachedToTarget') return null;
  const { type, url } = copyMember(params, 'targetInfo');
  const session = stringOrEmpty(params['sessionId']);
  return { session, parent, type: stringOrEmpty(type), url: stringOrEmpty(url), announcement: event };
}

/** A dialog of a page: its script pauses until the dialog is answered. */
export interface PageDialog {
  /** `alert`, `confirm`, `prompt` or `beforeunload`. */
  readonly type: string;
  /** Page text of any length. */
  readonly message: string;
  readonly defaultText: string;
  /** Address of the frame that opened it. */
  readonly url: string;
}

/** The dialog of a `Page.javascriptDialogOpening`. */
export function pageDialog({ type, message, defaultPrompt, url }: Params): PageDialog {
  return {
    type: stringOrEmpty(type) || 'dialog',
    message: stringOrEmpty(message),
    defaultText: stringOrEmpty(defaultPrompt),
    url: stringOrEmpty(url),
  };
}
