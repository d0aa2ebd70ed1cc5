import { connect, type Socket } from 'node:net';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { ownBuild, readNote, type SessionNote, type SessionPlace } from './note.ts';

/** How one of the client's streams shows text. */
export interface Shown {
  readonly isTTY: boolean;
  readonly columns: number | null;
}

/** The first line of a client: a command, or the end of the session. */
type Order =
  | {
      readonly token: string;
      readonly words: readonly string[];
      /** Standard input, if an argument asks for it. */
      readonly input: string | null;
      readonly out: Shown;
      readonly err: Shown;
    }
  | { readonly token: string; readonly stop: true };

/** A line from the server: data for a stream, in base64, or the exit code. */
export type Frame = { readonly out: string } | { readonly err: string } | { readonly exit: number };

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a command in this folder's session. Resolves to its exit code, or to null if no server of this build
 * serves the session.
 */
export async function forward(words: readonly string[], place: SessionPlace): Promise<number | null> {
  const note = readNote(place.notePath);
  if (note === null || note.build !== ownBuild()) return null;
  const socket = await reach(note);
  if (socket === null) return null;
  const { stdin, stdout, stderr } = process;
  const order: Order = {
    token: note.token,
    words,
    input: words.includes('-') ? await readAll(stdin) : null,
    out: shown(stdout),
    err: shown(stderr),
  };
  socket.write(`${JSON.stringify(order)}\n`);
  return follow(socket);
}

/** Ends the server of a session, and resolves once it is gone. False if none answers. */
export async function stopSession(note: SessionNote): Promise<boolean> {
  const socket = await reach(note);
  if (socket === null) return false;
  const order: Order = { token: note.token, stop: true };
  socket.write(`${JSON.stringify(order)}\n`);
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
  return true;
}

/** Null if nobody listens. */
export function reach({ socket: path }: SessionNote): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('error', () => resolve(null));
    socket.once('connect', () => {
      socket.removeAllListeners('error').on('error', () => undefined);
      resolve(socket);
    });
  });
}

const shown = ({ isTTY, columns }: NodeJS.WriteStream): Shown => ({
  isTTY: isTTY === true,
  columns: columns ?? null,
});

export async function readAll(stream: NodeJS.ReadStream): Promise<string> {
  stream.setEncoding('utf8');
  let text = '';
  for await (const part of stream) text += String(part);
  return text;
}

const isFrame = (value: unknown): value is Frame =>
  typeof value === 'object' && value !== null && ('out' in value || 'err' in value || 'exit' in value);

/** Prints everything from the server until the exit code. A signal cancels the command, a second one exits. */
async function follow(socket: Socket): Promise<number> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(0));
  for (const signal of SIGNALS)
    process.once(signal, () => socket.write(`${JSON.stringify({ signal: constants.signals[signal] })}\n`));
  for await (const line of createInterface({ input: socket })) {
    const frame: unknown = JSON.parse(line);
    if (!isFrame(frame)) continue;
    if ('exit' in frame) {
      socket.destroy();
      return frame.exit;
    }
    const [stream, data] = 'out' in frame ? [process.stdout, frame.out] : [process.stderr, frame.err];
    if (!stream.write(Buffer.from(data, 'base64'))) await new Promise((next) => stream.once('drain', next));
  }
  process.stderr.write(
    'spillway: the session ended before the command did.\n  Run it again: a new session starts. (session_closed)\n',
  );
  return 1;
}
