import { WebSocket } from 'ws';

interface Answer {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: string;
  readonly message?: string;
}

/** A session of WebDriver BiDi, which Firefox speaks if it was started with a port for it. */
export interface BidiSession {
  /** @throws Error of the browser */
  send(method: string, params?: object): Promise<Record<string, unknown>>;
  close(): void;
}

/**
 * @param address that the browser prints
 * @param alwaysMatch capabilities of the session
 */
export async function openBidi(address: string, alwaysMatch: object = {}): Promise<BidiSession> {
  const socket = new WebSocket(`${address}/session`);
  const pending = new Map<number, (answer: Answer) => void>();
  let lastId = 0;
  socket.on('message', (data: Buffer) => {
    const answer = JSON.parse(data.toString('utf8')) as Answer;
    pending.get(answer.id ?? 0)?.(answer);
    pending.delete(answer.id ?? 0);
  });
  await new Promise((fulfil, reject) => socket.once('open', fulfil).once('error', reject));
  const send: BidiSession['send'] = async (method, params = {}) => {
    const id = (lastId += 1);
    const answered = new Promise<Answer>((fulfil) => pending.set(id, fulfil));
    socket.send(JSON.stringify({ id, method, params }));
    const { result, error, message } = await answered;
    if (error !== undefined) throw new Error(`${method}: ${error}: ${message}`);
    return result ?? {};
  };
  await send('session.new', { capabilities: { alwaysMatch } });
  return { send, close: () => socket.close() };
}
