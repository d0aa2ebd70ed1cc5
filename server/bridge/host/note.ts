/** One line for the browser's log, which is where a native host's standard error goes. */
export function note(message: string): void {
  process.stderr.write(`spillway host ${process.pid}: ${message}\n`);
}
