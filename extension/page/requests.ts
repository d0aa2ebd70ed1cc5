import type { ErrorCode } from '../../shared/errors.ts';
import type { Failure } from './protocol.ts';
import type { PagePort } from './doorway.ts';

/** An error with a code. The table of hints stays with the server: a page sends code and message alone. */
export class PageError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Code and message of whatever was thrown; without a code of its own it is our fault. */
export function failureOf(thrown: unknown): Pick<Failure, 'code' | 'message'> {
  const code = thrown instanceof PageError ? thrown.code : 'internal_error';
  const message = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
  return { code, message: message.toWellFormed() };
}

/** @throws PageError `page_is_pdf` for documents that hold no page of their own. */
export function assertReadable(): void {
  if (document.contentType === 'application/pdf')
    throw new PageError('page_is_pdf', `${document.URL} is a PDF in the browser's viewer.`);
}

interface Answering<Request> {
  readonly handle: (request: Request) => void | Promise<void>;
  /** Drops what was kept for a request that failed. Answers what its failure says besides the reason. */
  readonly forget: (id: number) => Pick<Failure, 'last'> | undefined | void;
}

/** Handles the requests that come over a port. One that throws or rejects is answered with a coded `failed`. */
export function answerRequests<Request extends { readonly id: number }>(
  port: PagePort<Request>,
  { handle, forget }: Answering<Request>,
): void {
  port.onMessage.addListener((request) => {
    const fail = (thrown: unknown): void => {
      const { id } = request;
      const more = forget(id);
      port.postMessage({ type: 'failed', id, ...failureOf(thrown), ...more } satisfies Failure);
    };
    try {
      handle(request)?.catch(fail);
    } catch (thrown) {
      fail(thrown);
    }
  });
}
