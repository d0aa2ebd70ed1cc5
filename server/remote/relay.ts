import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { HostChallenge, HostProof, ServerProof } from '../../shared/core/bridge/hello.ts';
import { SpillwayError, toSpillwayError } from '../../shared/base/errors.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import { createProof, isProof } from '../core/bridge/directory.ts';
import { encodeFrame, parseFrame, readLength } from '../core/bridge/frames.ts';

/** The native host that a connection is for. */
interface RelayTarget {
  readonly socketPath: string;
  /** Of its folder. */
  readonly secret: string;
}

export interface RelayOptions {
  /** @throws SpillwayError if no host runs */
  readonly target: () => RelayTarget;
  /** Known to the servers of the other machine. */
  readonly secret: string;
  /** The other machine, for people. */
  readonly name: string;
}

const HELLO_BYTES = 16_384;

/**
 * Connects a server of another machine to the native host here. Each side proves itself with its own secret, so the
 * folder's never leaves this machine; afterwards bytes pass unread.
 */
export async function relay(remote: Socket, { target, secret, name }: RelayOptions): Promise<void> {
  const limit = AbortSignal.timeout(LIMITS.helloTimeoutMs);
  remote.on('error', () => undefined);
  let local: Socket | null = null;
  try {
    const host = target();
    local = connect(host.socketPath);
    local.on('error', () => remote.destroy());
    const challenge = HostChallenge.parse(await nextMessage(local, limit));
    send(remote, challenge);
    const proof = ServerProof.parse(await nextMessage(remote, limit));
    const nonces = { host: challenge.nonce, server: proof.nonce };
    if (!isProof(proof.proof, createProof(secret, 'server', nonces)))
      throw new SpillwayError('host_refused', 'The server does not know the secret of this connection.');
    send(local, { ...proof, remote: name, proof: createProof(host.secret, 'server', nonces) });
    const answer = HostProof.parse(await nextMessage(local, limit));
    if (answer.type === 'welcome' && !isProof(answer.proof, createProof(host.secret, 'host', nonces)))
      throw new SpillwayError('host_refused', 'The native host does not know the secret of its directory.');
    const own = answer.type === 'welcome' && { proof: createProof(secret, 'host', nonces) };
    send(remote, { ...answer, ...own });
    join(remote, local);
  } catch (thrown) {
    local?.destroy();
    const { code, message } = toSpillwayError(thrown);
    if (remote.writable) send(remote, { type: 'refused', code, message: message.slice(0, 500) });
    remote.destroySoon();
  }
}

const send = (to: Socket, message: object): void => void to.write(encodeFrame(JSON.stringify(message)));

function join(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.once('close', () => to.destroySoon());
    from.pipe(to);
  }
}

/** The first frame of a handshake; what follows stays in the socket. */
async function nextMessage(socket: Socket, limit: AbortSignal): Promise<unknown> {
  const size = readLength(await take(socket, 4, limit));
  if (size > HELLO_BYTES) throw new SpillwayError('frame_too_large', 'A handshake has no such frame.');
  return parseFrame(await take(socket, size, limit));
}

async function take(socket: Socket, size: number, signal: AbortSignal): Promise<Buffer> {
  for (;;) {
    const bytes: unknown = socket.read(size);
    if (bytes instanceof Buffer && bytes.length === size) return bytes;
    if (socket.destroyed || socket.readableEnded || bytes !== null)
      throw new SpillwayError('host_refused', 'The other side closed the connection.');
    await Promise.race([once(socket, 'readable', { signal }), once(socket, 'close', { signal })]);
  }
}
