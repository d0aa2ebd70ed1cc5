import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { z } from 'zod';
import { SpillwayError, isErrorCode, invalidArgument } from '../../../shared/base/errors.ts';
import { cut } from '../../../shared/base/cut.ts';
import { claimHome } from '../../core/machine/private-folder.ts';
import { serverProgram } from '../../core/machine/command-line.ts';
import type { CommandIo } from '../../core/command-io.ts';
import type { CommandRequest } from '../tool-commands/run.ts';
import { forward, reach, stopSession } from './client.ts';
import {
  ownBuild,
  parseSessionPlace,
  READY,
  readNote,
  SESSION_WORD,
  sessionsOf,
  stopCommand,
  type SessionNote,
  type SessionPlace,
} from './note.ts';
import type { SessionStart } from './server.ts';
import { parseAs } from '../../../shared/base/json-schema.ts';

/**
 * Starts a session's server if none serves it, and runs a command in it. Resolves to its exit code.
 * @throws SpillwayError if the server does not start, or another build serves the session
 */
export async function runInSession(words: readonly string[], { settings }: CommandRequest): Promise<number> {
  const place = { ...parseSessionPlace(words, process.cwd()), home: settings.home };
  await expectOwnBuild(place, words);
  await startServer({ place, build: ownBuild(), settings });
  const code = await forward(words, place);
  if (code !== null) return code;
  throw new SpillwayError('session_closed', `The session ${place.name} ended before the command began.`, {
    hint: 'Run the command again.',
  });
}

/** @throws SpillwayError `invalid_argument` */
async function expectOwnBuild({ name, notePath }: SessionPlace, words: readonly string[]): Promise<void> {
  const note = readNote(notePath);
  if (note === null || note.build === ownBuild()) return;
  const socket = await reach(note);
  socket?.destroy();
  if (socket === null) return;
  throw invalidArgument(
    `The session ${name} runs another version of Spillway.`,
    `Run ${stopCommand(words)} to end it; its tabs stay open. Then run the command again.`,
  );
}

async function startServer(start: SessionStart): Promise<void> {
  const program = serverProgram();
  if (program === null) throw new SpillwayError('internal_error', 'The program of Spillway cannot be found.');
  const [node, script] = program;
  claimHome(start.place.home);
  mkdirSync(sessionsOf(start.place.home), { recursive: true, mode: 0o700 });
  const log = openSync(start.place.notePath.replace(/json$/, 'log'), 'w', 0o600);
  const server = spawn(node, [script, SESSION_WORD], {
    detached: true,
    cwd: start.place.home,
    windowsHide: true,
    stdio: ['pipe', 'pipe', log],
  });
  closeSync(log);
  const { stdin, stdout } = server;
  if (stdin === null || stdout === null) throw new SpillwayError('internal_error', 'No pipe to the session.');
  stdin.on('error', () => undefined);
  stdin.end(JSON.stringify(start));
  const exited = once(server, 'exit').then(() => '');
  const lines = createInterface({ input: stdout });
  const line = await Promise.race([once(lines, 'line').then(([first]) => String(first)), exited]);
  if (line === READY) {
    lines.close();
    stdout.destroy();
    server.unref();
    return;
  }
  throw startFailure(line, start.place);
}

const Failure = z.object({ code: z.string(), message: z.string(), hint: z.string() });

function startFailure(line: string, { name }: SessionPlace): SpillwayError {
  const failure = parseAs(Failure, line);
  if (failure === null)
    return new SpillwayError('internal_error', `The server of the session ${name} did not start.`);
  const { code, message, hint } = failure;
  return new SpillwayError(isErrorCode(code) ? code : 'internal_error', message, { hint });
}

/** Flags of `spillway stop`. */
export interface StopOptions {
  readonly home: string;
  readonly session?: string;
  readonly all: boolean;
}

/** Ends sessions of commands, and names them. */
export async function runStop({ home, session, all }: StopOptions, io: CommandIo): Promise<number> {
  const words = session === undefined ? [] : ['--session', session];
  const place = parseSessionPlace([...words, '--home', home], process.cwd());
  const ended = await stopSessions(all ? notesOf(home) : [readNote(place.notePath)]);
  for (const name of ended) io.write(`Ended the session ${cut(name, 200)}.\n`);
  if (ended.length === 0)
    io.write(all ? 'No session is running.\n' : `No session ${place.name} is running.\n`);
  return 0;
}

/** Ends every session of a home. */
export const stopAllSessions = (home: string): Promise<readonly string[]> => stopSessions(notesOf(home));

/** Ends sessions, and returns the names of those that ran. */
async function stopSessions(notes: readonly (SessionNote | null)[]): Promise<readonly string[]> {
  const names = notes.map(async (note) => (note !== null && (await stopSession(note)) ? [note.name] : []));
  return (await Promise.all(names)).flat();
}

function notesOf(home: string): readonly (SessionNote | null)[] {
  const folder = sessionsOf(home);
  try {
    return readdirSync(folder).flatMap((name) =>
      name.endsWith('.json') ? [readNote(join(folder, name))] : [],
    );
  } catch {
    return [];
  }
}
