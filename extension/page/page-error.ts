import type { ErrorCode } from '../../shared/errors.ts';
import type { Failure } from './protocol.ts';

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
