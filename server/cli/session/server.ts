import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { CommanderError } from 'commander';
import { z } from 'zod';
import { defer, waitAtMost } from '../../../shared/base/async.ts';
import { toSpillwayError, invalidArgument } from '../../../shared/base/errors.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { VERSION } from '../../../shared/base/version.ts';
import { createApp, type App } from '../../core/app.ts';
import { isProof, openBridgeDirectory } from '../../core/bridge/directory.ts';
import { buildCancelled } from '../../core/calls/call.ts';
import type { ClientSession } from '../../core/context.ts';
import { createSession } from '../../core/registry/session.ts';
import { withFileLock, writeWhole } from '../../core/machine/files.ts';
import { claimHome } from '../../core/machine/private-folder.ts';
import { createLogSink, errorText, protect } from '../../core/logger.ts';
import { serverCommand, type SessionSettings } from '../options.ts';
import { addToolCommands } from '../tool-commands/command.ts';
import { EXIT, runToolCommand, type CommandRequest } from '../tool-commands/run.ts';
import { Terminal, type OutStream } from '../tool-commands/terminal.ts';
import { reach } from './client.ts';
import { Order, type Frame } from './order.ts';
import { readNote, sessionsOf, stopCommand, type SessionNote } from './note.ts';
import { isObject } from '../../../shared/base/json.ts';
import { parseAs } from '../../../shared/base/json-schema.ts';

/** The input of a new session server, written by a program of the same build. */
export const SessionStart = z.object({
  place: z.object({ name: z.string(), home: z.string(), notePath: z.string() }),
  build: z.string(),
  settings: z.custom<SessionSettings>(isObject),
});
export type SessionStart = z.output<typeof SessionStart>;

/** A session ends after this long without use or an active run. */
const IDLE_MS = 10 * 60_000;

type Command = Extract<Order, { words: unknown }>;

const Signal = z.object({ signal: z.int() });

/**
 * Serves the commands of one session until it is stopped, is idle or gets a signal.
 * @param onReady called once commands reach it, or another server of the session
 */
export async function serveSession(
  start: SessionStart,
  onReady: () => void,
  idleMs: number = IDLE_MS,
): Promise<void> {
  claimHome(start.place.home);
  const app = createApp({ ...start.settings, logger: createLogSink(start.settings.logLevel) });
  protect(app.secrets);
  const served = new SessionServer(app, start, idleMs);
  try {
    const isOurs = await served.open();
    onReady();
    if (isOurs) await served.ended.promise;
  } finally {
    await served.close();
  }
}

class SessionServer {
  readonly ended = defer<void>();
  readonly #gone = new AbortController();
  readonly #session: ClientSession;
  readonly #server = createServer((socket) => void this.#answer(socket));
  readonly #token = randomBytes(16).toString('hex');
  #active = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly app: App,
    private readonly start: SessionStart,
    private readonly idleMs: number,
  ) {
    this.#session = createSession(randomUUID(), {
      registry: app.executor.registry,
      name: 'terminal',
      signal: this.#gone.signal,
    });
    app.setClients([{ name: 'terminal', version: VERSION }]);
  }

  /** False if another server has the session. */
  async open(): Promise<boolean> {
    const { name, home, notePath } = this.start.place;
    await mkdir(sessionsOf(home), { recursive: true, mode: 0o700 });
    return withFileLock(`${notePath}.lock`, AbortSignal.timeout(60_000), async () => {
      const other = readNote(notePath);
      const answering = other === null ? null : await reach(other);
      answering?.destroy();
      if (answering !== null) return false;
      const id = randomBytes(8).toString('hex');
      const socket = socketOf(dirname(notePath), id);
      this.#server.listen(socket);
      await once(this.#server, 'listening');
      if (process.platform !== 'win32') chmodSync(socket, 0o600);
      const note: SessionNote = {
        name,
        socket,
        token: this.#token,
        pid: process.pid,
        build: this.start.build,
      };
      await writeWhole(notePath, JSON.stringify(note), `${notePath}.${id}`);
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
        process.once(signal, () => this.ended.resolve());
      this.#rest();
      return true;
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const { notePath } = this.start.place;
    if (readNote(notePath)?.token === this.#token) rmSync(notePath, { force: true });
    this.#server.close();
    this.app.leave();
    this.#gone.abort(buildCancelled('the end of the session'));
    await waitAtMost(this.app.close(), LIMITS.shutdownMs);
  }

  /** Idle: the session ends after a while, unless a run is active then. */
  #rest(): void {
    clearTimeout(this.#idle);
    const idle: NodeJS.Timeout = setTimeout(() => {
      void this.#hasRun().then((hasRun) => {
        // A command may have come meanwhile.
        if (this.#idle !== idle) return;
        if (hasRun) this.#rest();
        else this.ended.resolve();
      });
    }, this.idleMs);
    this.#idle = idle;
  }

  async #hasRun(): Promise<boolean> {
    const { runs } = await this.app.services();
    const lists = await Promise.all(
      (['running', 'queued'] as const).map((status) => runs.list({ count: 1, status })),
    );
    return lists.some((list) => list.runs.length > 0);
  }

  async #answer(socket: Socket): Promise<void> {
    socket.on('error', () => undefined);
    this.#active += 1;
    clearTimeout(this.#idle);
    this.#idle = undefined;
    const commands = createInterface({ input: socket })[Symbol.asyncIterator]();
    try {
      const first: IteratorResult<string, undefined> = await commands.next();
      const order = parseAs(Order, first.value ?? '');
      if (order === null || !isProof(order.token, this.#token)) return;
      if ('stop' in order) {
        // The client waits for the end of the process, which closes its socket.
        this.ended.resolve();
        await once(socket, 'close');
        return;
      }
      const cancel = new AbortController();
      let signalled: number | null = null;
      // One may have come with the command.
      const awaitSignal = async (): Promise<void> => {
        for await (const next of commands) {
          const signal = parseAs(Signal, next)?.signal;
          if (signal === undefined) continue;
          signalled = 128 + signal;
          cancel.abort(buildCancelled(signal === 2 ? 'Ctrl-C' : `signal ${signal}`));
        }
      };
      void awaitSignal()
        .catch(() => undefined)
        .finally(() => cancel.abort(buildCancelled('the end of the command')));
      const terminal = new Terminal(stream(socket, order, 'stdout'), stream(socket, order, 'stderr'));
      const code = await this.#run(order, terminal, cancel.signal);
      send(socket, { exit: signalled ?? code });
    } finally {
      socket.end();
      this.#active -= 1;
      if (this.#active === 0) this.#rest();
    }
  }

  async #run({ words, folder, input }: Command, terminal: Terminal, signal: AbortSignal): Promise<number> {
    const printed: Promise<void>[] = [];
    const program = serverCommand()
      .exitOverride()
      .configureOutput({
        writeOut: (text) => void printed.push(terminal.write(text)),
        writeErr: (text) => void printed.push(terminal.note(text.trimEnd())),
        outputError: (text) => void printed.push(terminal.note(text.trimEnd())),
      });
    let code: number = EXIT.usage;
    try {
      program.enablePositionalOptions();
      addToolCommands(program, words, async (requestOf) => {
        const request = requestOf({ input, hasTab: this.#session.currentTab !== null });
        this.#expectSame(request, words);
        code = await runToolCommand(request, { app: this.app, session: this.#session, terminal, signal });
      });
      process.chdir(folder);
      // Parsing ends before the first wait, so commands that run at once keep the folder of the server.
      const running = program.parseAsync(words, { from: 'user' });
      process.chdir(this.start.place.home);
      await running;
    } catch (thrown) {
      if (thrown instanceof CommanderError) code = thrown.exitCode === 0 ? EXIT.ok : EXIT.usage;
      else {
        await terminal.note(errorText(thrown).trimEnd());
        code = toSpillwayError(thrown).code === 'invalid_argument' ? EXIT.usage : EXIT.failed;
      }
    }
    await Promise.all(printed);
    return code;
  }

  /** @throws SpillwayError `invalid_argument` for a flag of the server that the session was not started with */
  #expectSame({ settings, given }: CommandRequest, words: readonly string[]): void {
    const other = given.find(
      (name) => JSON.stringify(settings[name]) !== JSON.stringify(this.start.settings[name]),
    );
    if (other === undefined) return;
    throw invalidArgument(
      `The session runs with another value of ${other}.`,
      `Run ${stopCommand(words)} to end it first, or name another session with --session.`,
    );
  }
}

const send = (socket: Socket, frame: Frame, sent?: (failure?: Error | null) => void): boolean =>
  socket.write(`${JSON.stringify(frame)}\n`, sent);

/** One of the client's streams. */
function stream(socket: Socket, order: Command, to: 'stdout' | 'stderr'): OutStream {
  const { isTTY, columns } = order[to];
  return {
    isTTY,
    ...(columns === null ? {} : { columns }),
    write: (data, written) => send(socket, { to, data: Buffer.from(data).toString('base64') }, written),
    on: () => undefined,
  };
}

/** Unix limits a socket's path to a hundred bytes: for a deeper home, it is in the bridge's folder. */
const SOCKET_PATH_BYTES = 100;

function socketOf(folder: string, id: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\spillway-${id}`;
  const near = join(folder, `${id}.sock`);
  return Buffer.byteLength(near) <= SOCKET_PATH_BYTES
    ? near
    : join(openBridgeDirectory().directory, `${id}.sock`);
}
