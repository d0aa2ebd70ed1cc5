import { clean, type CleanText } from '../../../libraries/redaction/clean.ts';
import { createRedactor } from '../../../libraries/redaction/index.ts';

/** The host does not know a server's settings. */
const redactor = createRedactor({ enabled: true });

/** One redacted line for the browser's log, where a native host's standard error goes. */
export function note(message: string): void {
  write(clean`spillway host ${process.pid}: ${redactMessage(message)}\n`);
}

export function redactMessage(message: string): CleanText {
  return redactor.text(message);
}

function write(line: CleanText): void {
  process.stderr.write(line);
}
