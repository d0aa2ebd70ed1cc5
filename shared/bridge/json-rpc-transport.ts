import { z } from 'zod';
import { ERRORS, isErrorCode, SpillwayError } from '../errors.ts';

/** `error.code` of a JSON-RPC response whose `error.data` is a {@link RpcErrorData}. */
export const RPC_CODED_ERROR = -32_000;

/** How a coded error crosses the bridge, next to its message. */
export const RpcErrorData = z.object({
  code: z.string(),
  hint: z.string().optional(),
  tab_id: z.int().optional(),
  /** Of `approval_required`: what a person is asked, for `question.wait`. */
  question: z.object({ id: z.string().max(64) }).optional(),
});
export type RpcErrorData = z.infer<typeof RpcErrorData>;

/** The data of a coded error; the hint only where it is not the table's. */
export function toErrorData({ code, hint, tabId, questionId }: SpillwayError): RpcErrorData {
  return {
    code,
    ...(hint === ERRORS[code].hint ? {} : { hint }),
    ...(tabId === undefined ? {} : { tab_id: tabId }),
    ...(questionId === undefined ? {} : { question: { id: questionId } }),
  };
}

/** The error that the other end raised; null for what is not a coded error that this build knows. */
export function readCodedError(error: {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}): SpillwayError | null {
  const data = error.code === RPC_CODED_ERROR ? RpcErrorData.safeParse(error.data) : null;
  if (data?.success !== true || !isErrorCode(data.data.code)) return null;
  const { code, hint, tab_id: tabId, question } = data.data;
  return new SpillwayError(code, error.message, { hint, tabId, questionId: question?.id });
}

interface Disposable {
  dispose(): void;
}

const NOTHING: Disposable = { dispose: () => undefined };
/** A channel's errors and its end are noticed by the owner of the channel, never by the reader or writer. */
const never = (): Disposable => NOTHING;

/**
 * The reader and the writer of one JSON-RPC connection, for `createMessageConnection` of
 * vscode-jsonrpc. The bridge carries each message as an object in an envelope, so there is
 * nothing to encode here. It has the library's types by shape, since `shared/` imports zod only.
 */
export class JsonRpcTransport<Message extends object> {
  /** Why the last message could not be sent: the library keeps only its text. */
  failure: unknown = null;
  readonly #send: (message: Message) => void;
  #callback: ((message: Message) => void) | null = null;

  /** @param send may throw; then the write fails */
  constructor(send: (message: Message) => void) {
    this.#send = send;
  }

  readonly reader = {
    onError: never,
    onClose: never,
    onPartialMessage: never,
    listen: (callback: (message: Message) => void): Disposable => {
      this.#callback = callback;
      return { dispose: () => (this.#callback = null) };
    },
    dispose: NOTHING.dispose,
  };

  readonly writer = {
    onError: never,
    onClose: never,
    write: async (message: Message): Promise<void> => {
      this.failure = null;
      try {
        this.#send(message);
      } catch (thrown) {
        this.failure = thrown;
        throw thrown;
      }
    },
    end: NOTHING.dispose,
    dispose: NOTHING.dispose,
  };

  /** Hands a message that has arrived to the connection. */
  receive(message: Message): void {
    this.#callback?.(message);
  }
}
