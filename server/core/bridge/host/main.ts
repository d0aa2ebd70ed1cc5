import './quiet-console.ts';
import { SpillwayError, toSpillwayError } from '../../../../shared/base/errors.ts';
import { FIREFOX_ID } from '../../../../shared/core/bridge/wire.ts';
import { EXTENSION_ORIGIN } from '../launcher.ts';
import { NativeHost } from './native-host.ts';

/*
 * Entry of the native messaging host. The browser starts it with the caller's name as an
 * argument, writes frames to its standard input and reads frames from its standard output.
 */

// Not SIGPIPE: a server that hangs up during a write ends only its own connection.
const END_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

// Everything that the host creates, including its socket, is for this user alone.
process.umask(0o077);

const host = new NativeHost({
  input: process.stdin,
  output: process.stdout,
  exit: (code) => process.exit(code),
});

process.once('exit', () => host.removeTraces());
process.on('uncaughtException', (error) => host.refuse(toSpillwayError(error)));
for (const signal of END_SIGNALS) process.on(signal, () => void host.end(`Ended by ${signal}.`));

// Firefox passes the path of the host's manifest first.
const [caller, firefoxCaller] = process.argv.slice(2);
if (caller !== EXTENSION_ORIGIN && firefoxCaller !== FIREFOX_ID) {
  host.refuse(
    new SpillwayError('host_refused', `The caller ${String(caller)} is not the Spillway extension.`),
  );
}
