import { toSpillwayError } from '../../shared/errors.ts';
import type { KnownSecret } from '../core/services.ts';
import type { CleanText } from '../redact/clean.ts';
import { createRedactor } from '../redact/index.ts';

/** An error that ends a process may quote anything, so it is always redacted. */
let redactor = createRedactor({ enabled: true });

/** From now on these values are redacted too. */
export function protect(secrets: readonly KnownSecret[]): void {
  redactor = createRedactor({ enabled: true, secrets });
}

/** stderr: standard output may belong to a protocol. */
function write(text: CleanText): void {
  process.stderr.write(text);
}

/** Prints a message on stderr, redacted. */
export function printMessage(text: string): void {
  write(redactor.text(text));
}

/** Prints a failure as its message, hint and code; a defect of Spillway with its stack. */
export function printError(thrown: unknown): void {
  const { code, message, hint, stack } = toSpillwayError(thrown);
  const source = thrown instanceof Error ? thrown.stack : stack;
  const defect = code === 'internal_error' && source !== undefined ? `${source}\n` : '';
  printMessage(`spillway: ${message}\n  ${hint} (${code})\n${defect}`);
}
