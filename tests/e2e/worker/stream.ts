import { createHash } from 'node:crypto';
import type { StreamChunk } from '../../../shared/bridge/streams.ts';
import type { Frame, HostPort } from './test-host.ts';

/** What a stream brought, checked against its seal as a server would. */
export interface Received {
  readonly text: string;
  readonly chunks: number;
  readonly sealed: boolean;
  /** Most bytes that were sent without new credit. */
  readonly mostInFlight: number;
}

export interface ReceiveOptions {
  readonly stream: number;
  readonly channel?: number;
  readonly window: number;
  /** Sees each chunk; answering false grants nothing for it. */
  readonly onChunk?: (chunk: StreamChunk) => boolean;
}

/** Collects a stream's chunks, grants credit as they are taken, until the seal. */
export function receiveStream(port: HostPort, options: ReceiveOptions): Promise<Received> {
  const { stream, channel = 1, window, onChunk } = options;
  const whole = createHash('sha256');
  const texts: string[] = [];
  let [inFlight, mostInFlight, size, next] = [0, 0, 0, 0];
  return new Promise((resolve, reject) => {
    const off = port.on((frame: Frame) => {
      if (frame.channel !== channel || frame.message['stream'] !== stream) return;
      const chunk = frame.message as unknown as StreamChunk;
      if (chunk.seq !== next++) return reject(new Error(`Chunk ${chunk.seq} came out of order.`));
      const bytes = Buffer.from(chunk.data, 'utf8');
      whole.update(createHash('sha256').update(bytes).digest());
      texts.push(chunk.data);
      size += bytes.length;
      inFlight += bytes.length;
      mostInFlight = Math.max(mostInFlight, inFlight);
      if (chunk.end !== undefined) {
        off();
        const expected = { chunks: next, size_bytes: size, sha256: whole.digest('hex') };
        const sealed = JSON.stringify(chunk.end) === JSON.stringify(expected);
        return resolve({ text: texts.join(''), chunks: next, sealed, mostInFlight });
      }
      if (onChunk?.(chunk) === false || bytes.length === 0) return;
      inFlight -= bytes.length;
      port.send(channel, { stream, credit: bytes.length });
    });
    void port.closed.then(() => reject(new Error('The port closed.')));
    if (window < 1) reject(new Error('A window has at least one byte.'));
  });
}
