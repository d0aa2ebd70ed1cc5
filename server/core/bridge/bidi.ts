import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { defer } from '../../../shared/base/async.ts';
import { jsonIn } from '../../../shared/base/json-schema.ts';

const Answer = z.object({
  id: z.int(),
  result: z.record(z.string(), z.unknown()).default({}),
  error: z.string().optional(),
  message: z.string().optional(),
});
type Answer = z.infer<typeof Answer>;

const BidiEvent = z.object({ method: z.string(), params: z.record(z.string(), z.unknown()) });

/** A session of WebDriver BiDi, which Firefox speaks if it was started with a port for it. */
export interface BidiSession {
  /** @throws SpillwayError `internal_error` with the browser's message, `browser_disconnected` */
  send(method: string, params?: object): Promise<Record<string, unknown>>;
  /** Hears of an event. @throws SpillwayError as {@link send} */
  subscribe(event: string, listener: (params: Record<string, unknown>) => void): Promise<void>;
  close(): void;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
}

/**
 * Opens the only session of a browser.
 * @param alwaysMatch capabilities of the session
 * @throws Error if there is a session already
 */
export async function openBidi(address: string, alwaysMatch: object = {}): Promise<BidiSession> {
  const socket = new WebSocket(`${address}/session`, { perMessageDeflate: false });
  const pending = new Map<number, (answer: Answer | null) => void>();
  const listeners = new Map<string, (params: Record<string, unknown>) => void>();
  const { promise: closed, resolve: close } = defer<void>();
  let lastId = 0;
  socket.on('message', (data: Buffer) => {
    const message = jsonIn(data.toString('utf8'));
    const answer = Answer.safeParse(message).data;
    if (answer !== undefined) return pending.get(answer.id)?.(answer);
    const event = BidiEvent.safeParse(message).data;
    if (event !== undefined) listeners.get(event.method)?.(event.params);
  });
  socket.on('close', () => {
    close();
    for (const fulfil of pending.values()) fulfil(null);
  });
  // Only while an answer is awaited does it keep this process alive.
  let connection: Socket | null = null;
  socket.on('upgrade', (response) => (connection = response.socket));
  await new Promise((fulfil, reject) => socket.once('open', fulfil).on('error', reject));
  const send: BidiSession['send'] = async (method, params = {}) => {
    const id = (lastId += 1);
    connection?.ref();
    const answered = new Promise<Answer | null>((fulfil) => pending.set(id, fulfil));
    if (socket.readyState !== WebSocket.OPEN) pending.get(id)?.(null);
    else socket.send(JSON.stringify({ id, method, params }));
    const answer = await answered;
    pending.delete(id);
    if (pending.size === 0) connection?.unref();
    if (answer === null)
      throw new SpillwayError('browser_disconnected', `${method}: the browser has closed its connection.`);
    const { result, error, message } = answer;
    if (error !== undefined) throw new SpillwayError('internal_error', `${method}: ${error}: ${message}`);
    return result;
  };
  const subscribe: BidiSession['subscribe'] = async (event, listener) => {
    listeners.set(event, listener);
    await send('session.subscribe', { events: [event] });
  };
  await send('session.new', { capabilities: { alwaysMatch } });
  return { send, subscribe, close: () => socket.close(), closed };
}
