import { Console } from 'node:console';

// Standard output carries only frames: a stray line there makes the browser close the port.
globalThis.console = new Console(process.stderr);
// If the browser closes our standard error, we must not end.
process.stderr.on('error', () => undefined);
