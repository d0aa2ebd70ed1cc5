import { toSpillwayError } from '../../shared/errors.ts';
import { clean, type CleanText } from '../redact/clean.ts';
import { createRedactor } from '../redact/index.ts';

/** What ends a process may quote anything, so it is redacted whatever the settings say. */
const redactor = createRedactor({ enabled: true });

/** stderr: standard output may belong to a protocol. */
function write(text: CleanText): void {
  process.stderr.write(text);
}

/** Prints a failure as its message, hint and code; a defect of Spillway with its stack. */
export function printError(thrown: unknown): void {
  const { code, message, hint, stack } = toSpillwayError(thrown);
  write(clean`spillway: ${redactor.text(message)}\n  ${redactor.text(hint)} (${redactor.text(code)})\n`);
  const source = thrown instanceof Error ? thrown.stack : stack;
  if (code === 'internal_error' && source !== undefined) write(clean`${redactor.text(source)}\n`);
}
