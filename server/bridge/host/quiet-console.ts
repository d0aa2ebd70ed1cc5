import { Console } from 'node:console';

// Standard output carries frames alone: one stray line there makes the browser end the port.
globalThis.console = new Console(process.stderr);
// A browser that closed our standard error must not end us.
process.stderr.on('error', () => undefined);
