import { createHash } from 'node:crypto';
import type { StreamChunk } from '../../../shared/core/bridge/streams.ts';
import type { Frame, HostPort } from './test-host.ts';

type Received = { readonly text: string; readonly sealed: boolean };

interface ReceiveOptions {
  readonly stream: number;
  readonly channel?: number;
  readonly onChunk?: (chunk: StreamChunk) => void;
}

/** Collects a stream's chunks, grants credit as they are taken, until the seal. */
export function receiveStream(port: HostPort, options: ReceiveOptions): Promise<Received> {
  const { stream, channel = 1, onChunk } = options;
  const whole = createHash('sha256');
  const texts: string[] = [];
  let [size, next] = [0, 0];
  return new Promise((resolve, reject) => {
    const off = port.on((frame: Frame) => {
      if (frame.channel !== channel || frame.message['stream'] !== stream) return;
      const chunk = frame.message as unknown as StreamChunk;
      if (chunk.seq !== next++) return reject(new Error(`Chunk ${chunk.seq} came out of order.`));
      const bytes = Buffer.from(chunk.data, 'utf8');
      whole.update(createHash('sha256').update(bytes).digest());
      texts.push(chunk.data);
      size += bytes.length;
      if (chunk.end !== undefined) {
        off();
        const expected = { chunks: next, size_bytes: size, sha256: whole.digest('hex') };
        const sealed = JSON.stringify(chunk.end) === JSON.stringify(expected);
        return resolve({ text: texts.join(''), sealed });
      }
      onChunk?.(chunk);
      if (bytes.length > 0) port.send(channel, { stream, credit: bytes.length });
    });
    void port.closed.then(() => reject(new Error('The port closed.')));
  });
}
