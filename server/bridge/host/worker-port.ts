import type { Readable, Writable } from 'node:stream';
import type { ToWorkerControl } from '../../../shared/bridge/hello.ts';
import { openEnvelope, sealEnvelope, type Envelope } from '../envelope.ts';
import { FrameDecoder } from '../frames.ts';

const CONTROL_CHANNEL = 0;

export interface WorkerPortEvents {
  onEnvelope(envelope: Envelope): void;
  /** The browser took what had filled its pipe. */
  onDrain(): void;
  /** The port is over: `error` says why when it was not a plain end. */
  onEnd(error: unknown): void;
}

/** The native-messaging leg: envelopes from and to the extension's worker. */
export class WorkerPort {
  readonly #output: Writable;
  readonly #decoder = new FrameDecoder();
  #isOver = false;

  constructor(input: Readable, output: Writable, events: WorkerPortEvents) {
    this.#output = output;
    const end = (error?: unknown): void => {
      if (this.#isOver) return;
      this.#isOver = true;
      events.onEnd(error);
    };
    input.on('data', (chunk: Buffer) => {
      if (this.#isOver) return;
      try {
        for (const frame of this.#decoder.push(chunk)) events.onEnvelope(openEnvelope(frame));
      } catch (error) {
        end(error);
      }
    });
    input.once('end', () => {
      try {
        this.#decoder.end();
        end();
      } catch (error) {
        end(error);
      }
    });
    input.on('error', end);
    output.on('error', end);
    output.on('drain', () => events.onDrain());
  }

  /** False when the browser's pipe is full: send nothing more before `onDrain`. */
  send(channel: number, message: Buffer): boolean {
    return this.#output.write(sealEnvelope(channel, message));
  }

  sendControl(control: ToWorkerControl): void {
    this.send(CONTROL_CHANNEL, Buffer.from(JSON.stringify(control)));
  }

  /** Resolves when all that was sent has left this process, or when it no longer can. */
  flush(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#output.destroyed || this.#output.writableEnded) return resolve();
      this.#output.once('error', () => resolve());
      this.#output.end(() => resolve());
    });
  }
}
