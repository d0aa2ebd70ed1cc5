import type { PageFacts } from '../../shared/core/bridge/page.ts';
import type { ErrorCode } from '../../shared/base/errors.ts';
import type { Failure } from '../core/page/protocol.ts';

/**
 * A content script's part of a port to the worker. Requests are typed and not parsed: only the worker of the same build
 * can send them, and a parser would add Zod to every page.
 */
export interface PagePort<Request> {
  postMessage(message: object): void;
  readonly onMessage: { addListener(listener: (request: Request) => void): void };
  readonly onDisconnect: { addListener(listener: () => void): void };
}

type OpenRoot = (el: HTMLElement) => ShadowRoot | null;

/** The extension's API in a content script. Missing in documents that were only parsed. */
interface ExtensionApi {
  readonly runtime: { connect<Request>(info: { readonly name: string }): PagePort<Request> };
  /** Chromium's own; Firefox gives elements `openOrClosedShadowRoot` instead. */
  readonly dom?: { readonly openOrClosedShadowRoot: OpenRoot };
}

declare const chrome: ExtensionApi | undefined;

/** @throws Error in a script of an extension that was reloaded since */
export function connectWorker<Request>(name: string): PagePort<Request> {
  if (typeof chrome === 'undefined') throw new Error('This document has no extension API.');
  return chrome.runtime.connect({ name });
}

/** Firefox shows a page no data that a script of another world has put there. */
export function createTransfer(): DataTransfer {
  const view: Window & { readonly wrappedJSObject?: typeof globalThis } = window;
  return new (view.wrappedJSObject ?? globalThis).DataTransfer();
}

export function shadowRootOpener(): OpenRoot | null {
  if (typeof chrome === 'undefined') return null;
  const { dom } = chrome;
  if (dom !== undefined) return (el) => dom.openOrClosedShadowRoot(el);
  return 'openOrClosedShadowRoot' in HTMLElement.prototype
    ? (el: HTMLElement & { readonly openOrClosedShadowRoot?: ShadowRoot | null }) =>
        el.openOrClosedShadowRoot ?? null
    : null;
}

/** An error with a code. The server has the table of hints: a page sends only code and message. */
export class PageError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Code and message of any thrown value; without a code of its own it is our fault. */
export function failureOf(thrown: unknown): Pick<Failure, 'code' | 'message'> {
  const code = thrown instanceof PageError ? thrown.code : 'internal_error';
  const message = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
  return { code, message: message.toWellFormed() };
}

/** @throws PageError `page_is_pdf` for documents without a page of their own */
export function assertReadable(): void {
  if (document.contentType === 'application/pdf')
    throw new PageError('page_is_pdf', `${document.URL} is a PDF, which read_page reads.`);
}

export function pageFacts(frames: number): PageFacts {
  return {
    url: document.URL.toWellFormed(),
    title: document.title.toWellFormed(),
    // The root of an SVG or XML document has no `lang` property, and may be missing.
    lang: document.documentElement?.getAttribute('lang') || null,
    content_type: document.contentType,
    ready_state: document.readyState,
    frames,
  };
}

/** A content script's part in {@link answerRequests}. */
export interface Answering<Request> {
  readonly handle: (request: Request) => void | Promise<void>;
  /** Drops all state: the worker has gone. */
  readonly close: () => void;
  /** Drops the state of a failed request. Returns anything that the failure reports besides its reason. */
  readonly forget: (id: number) => Pick<Failure, 'last'> | undefined | void;
}

/**
 * Answers requests on a port. An exception or rejection becomes a coded `failed`.
 * @param serve gets a function that sends an answer, or nothing when the worker has gone
 */
export function answerRequests<Request extends { readonly id: number }, Answer extends object>(
  port: PagePort<Request>,
  serve: (post: (answer: Answer) => void) => Answering<Request>,
): void {
  let isClosed = false;
  const post = (answer: Answer | Failure): void => {
    if (!isClosed) port.postMessage(answer);
  };
  const { handle, forget, close } = serve(post);
  port.onDisconnect.addListener(() => {
    isClosed = true;
    close();
  });
  port.onMessage.addListener((request) => {
    const fail = (thrown: unknown): void => {
      const { id } = request;
      const more = forget(id);
      post({ type: 'failed', id, ...failureOf(thrown), ...more });
    };
    try {
      handle(request)?.catch(fail);
    } catch (thrown) {
      fail(thrown);
    }
  });
}
