import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import type { Frame, Order } from './order.ts';
import { ownBuild, readNote, type SessionNote, type SessionPlace } from './note.ts';

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
    folder: process.cwd(),
    input: words.includes('-') ? await readAll(stdin) : null,
    stdout: widthOf(stdout),
    stderr: widthOf(stderr),
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
  await once(socket, 'close');
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

const widthOf = ({ isTTY, columns }: NodeJS.WriteStream) => ({
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
  typeof value === 'object' && value !== null && ('to' in value || 'exit' in value);

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
    const stream = process[frame.to];
    if (!stream.write(Buffer.from(frame.data, 'base64'))) await once(stream, 'drain');
  }
  process.stderr.write(
    'spillway: the session ended before the command did.\n  Run it again: a new session starts. (session_closed)\n',
  );
  return 1;
}
