import type { Command } from 'commander';
import { cut } from '../../shared/base/cut.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import { VERSION } from '../../shared/base/version.ts';
import { createApp, type App } from '../core/app.ts';
import { waitAtMost } from '../../shared/base/async.ts';
import type { SettingNames } from '../core/settings.ts';
import { toSpillwayError } from '../../shared/base/errors.ts';
import { nearestNames } from '../core/registry/selector.ts';
import { addCommands } from './commands.ts';
import { readAll } from './session/client.ts';
import { READY, SESSION_WORD } from './session/note.ts';
import { addToolCommands, type PerformCommand } from './tool-commands/command.ts';
import {
  AUTO,
  checkFlags,
  modeOfClient,
  serverCommand,
  settingNames,
  settingsOf,
  type ServerFlags,
} from './options.ts';
import { printError, protect, createLogSink } from '../core/logger.ts';

/** Time for the first list before the rest of the server loads. */
const WARM_UP_DELAY_MS = 150;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Serves until the client leaves or a signal arrives, then cleans up. */
async function serve(flags: ServerFlags, names: SettingNames): Promise<void> {
  checkFlags(flags);
  const settings = settingsOf(flags);
  const mode = settings.mode === AUTO ? await modeOfClient(process.stdin) : settings.mode;
  const app = createApp({ ...settings, mode, names, logger: createLogSink(flags.logLevel) });
  protect(app.secrets);
  const signalled = new Promise<string>((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve(`it received ${signal}`));
  });
  const session = flags.http === undefined ? await startStdio(app) : await startHttp(app, flags, flags.http);
  setTimeout(() => app.warmUp(), WARM_UP_DELAY_MS).unref();
  const reason = await Promise.race([signalled, session.ended]);
  app.logger.debug({ reason }, 'the server is stopping');
  await shutDown(app, session);
}

interface Session {
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

function faces({ executor, resources, logger, logs }: App) {
  return { executor, resources, logger, logs, version: VERSION };
}

async function startStdio(app: App): Promise<Session> {
  const { serveStdio } = await import('../mcp/stdio.ts');
  return serveStdio({ ...faces(app), onClient: (client) => app.setClients(client === null ? [] : [client]) });
}

async function startHttp(app: App, flags: ServerFlags, port: number): Promise<Session> {
  const { serveHttp } = await import('../mcp/http/serve.ts');
  const { readContinue } = await import('../programs/command.ts');
  const { announcement, resolveToken } = await import('./http-token.ts');
  const token = resolveToken({ noToken: flags.httpNoToken, file: flags.httpTokenFile });
  const session = await serveHttp({
    ...faces(app),
    port,
    token: token.value,
    onClients: (clients) => app.setClients(clients),
    onContinue: async (payload) => {
      const { runId, ...answer } = readContinue(payload);
      const { run_id, status } = await (await app.services()).parking.answer(runId, answer);
      return { run_id, status };
    },
  });
  process.stderr.write(announcement(session.url, token));
  return session;
}

/** Closes everything within {@link LIMITS.shutdownMs}; the exit takes care of anything that still hangs. */
async function shutDown(app: App, session: Session): Promise<void> {
  app.leave();
  // Stdout has two hundred milliseconds to drain after the rest has closed.
  const closing = session
    .close()
    .then(() => app.close())
    .catch((thrown: unknown) => app.logger.warn({ err: thrown }, 'closing failed'));
  await waitAtMost(closing, LIMITS.shutdownMs - 400);
  await drainStdout();
  process.exit(0);
}

/** Data written to a pipe before `process.exit` is lost unless it was flushed. */
async function drainStdout(): Promise<void> {
  if (process.stdout.writableLength === 0 || process.stdout.destroyed) return;
  const drained = new Promise<void>((resolve) => process.stdout.once('drain', resolve));
  await waitAtMost(drained, 200);
}

function fail(thrown: unknown): never {
  printError(thrown);
  process.exit(1);
}

// Node would print the error as it is, which may quote a page.
process.on('uncaughtException', fail);

/** Serves a session of commands; the starting command waits for it on stdout. */
async function serveCommands(): Promise<never> {
  try {
    const { serveSession, SessionStart } = await import('./session/server.ts');
    const start = SessionStart.parse(JSON.parse(await readAll(process.stdin)));
    await serveSession(start, () => process.stdout.write(`${READY}\n`));
  } catch (thrown) {
    const { code, message, hint } = toSpillwayError(thrown);
    await new Promise((written) =>
      process.stdout.write(`${JSON.stringify({ code, message, hint })}\n`, written),
    );
    process.exit(1);
  }
  process.exit(0);
}

/** Runs a command in its session, which it starts if none runs. */
async function runCommand(requestOf: Parameters<PerformCommand>[0]): Promise<void> {
  const { runInSession } = await import('./session/start.ts');
  try {
    process.exitCode = await runInSession(words, requestOf({ input: null, hasTab: false }));
  } catch (thrown) {
    printError(thrown);
    process.exitCode = toSpillwayError(thrown).code === 'invalid_argument' ? 2 : 1;
  }
}

const words = process.argv.slice(2);
if (words[0] === SESSION_WORD) await serveCommands();

const program = serverCommand().action((flags: ServerFlags, command: Command) => {
  const [unknown] = command.args;
  // A misspelt command must not start a server.
  if (unknown !== undefined) {
    const near = nearestNames(
      unknown,
      program.commands.map((each) => each.name()),
    );
    const meant = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
    command.error(`error: unknown command '${cut(unknown, 80)}'.${meant}`);
  }
  return serve(flags, settingNames(command));
});

// Commander exits with 1 for a wrong command line. The commands inherit this.
program.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
addCommands(program);
addToolCommands(program, words, runCommand);
// After the commands, which would inherit it and accept excess arguments.
program.allowExcessArguments();
// A person, not a client, is at the other end.
if (words.length === 0 && process.stdin.isTTY) program.help();
program.parseAsync().catch(fail);
