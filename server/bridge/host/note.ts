import { clean, type CleanText } from '../../redact/clean.ts';
import { createRedactor } from '../../redact/index.ts';

/** The host knows no settings of a server. */
const redactor = createRedactor({ enabled: true });

/** One redacted line for the browser's log, which is where a native host's standard error goes. */
export function note(message: string): void {
  write(clean`spillway host ${process.pid}: ${redacted(message)}\n`);
}

export function redacted(message: string): CleanText {
  return redactor.text(message);
}

function write(line: CleanText): void {
  process.stderr.write(line);
}
