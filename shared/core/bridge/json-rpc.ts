import { z } from 'zod';
import { defer } from '../../base/async.ts';
import { ERRORS, isErrorCode, SpillwayError, toSpillwayError } from '../../base/errors.ts';

/** `error.code` of a response whose `error.data` is a {@link CodedError}. */
const CODED_ERROR = -32_000;
const CANCEL = '$/cancelRequest';

/** A coded error on the bridge, next to its message. */
const CodedError = z.object({
  code: z.string(),
  hint: z.string().optional(),
  tab_id: z.int().optional(),
  /** Of `approval_required`: the question, for `question.wait`. */
  question: z.object({ id: z.string().max(64) }).optional(),
  quotes: z.string().optional(),
});

const Id = z.union([z.int(), z.string()]);

/** A message of JSON-RPC, reduced to what both ends need. */
export const RpcMessage = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: Id.nullish(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
});
type RpcMessage = z.infer<typeof RpcMessage>;
type Id = z.infer<typeof Id>;
type RpcError = NonNullable<RpcMessage['error']>;

const Cancelled = z.object({ id: Id });

export interface RpcCall {
  /** Rejects with the coded error of the other end. Never settles once the connection has ended. */
  readonly answer: Promise<unknown>;
  cancel(): void;
}

/** Answers a request of the other end, which may abort the call meanwhile. */
export type AnswerRequest = (method: string, params: unknown, call: AbortController) => Promise<unknown>;

/** One end of JSON-RPC 2.0 over object messages: either end can send requests and cancel them. */
export class JsonRpc {
  readonly #asked = new Map<Id, (answer: RpcMessage) => void>();
  readonly #answering = new Map<Id, { readonly method: string; readonly call: AbortController }>();
  #isOver = false;
  #lastId = 0;

  /**
   * @param send may throw a SpillwayError, which then is the call's
   * @param answer answers what the other end asks; what it throws is sent as a coded error
   */
  constructor(
    private readonly send: (message: object) => void,
    private readonly answer: AnswerRequest,
  ) {}

  receive(message: RpcMessage): void {
    const { id, method, params } = message;
    if (method === CANCEL) this.#cancel(params);
    else if (id === undefined || id === null) return;
    else if (method !== undefined) void this.#reply(id, method, params);
    else this.#asked.get(id)?.(message);
  }

  /** Sends a request at once. */
  call(method: string, params: object): RpcCall {
    const id = (this.#lastId += 1);
    const { promise, resolve, reject } = defer<unknown>();
    this.#asked.set(id, ({ result, error }) => {
      this.#asked.delete(id);
      if (error === undefined) resolve(result);
      else reject(toCodedError(error, method));
    });
    try {
      this.send({ jsonrpc: '2.0', id, method, params });
    } catch (thrown) {
      this.#asked.delete(id);
      reject(thrown);
    }
    return {
      answer: promise,
      cancel: () => this.#asked.has(id) && this.#say({ method: CANCEL, params: { id } }),
    };
  }

  /** Aborts every request being answered, and sends nothing more. */
  dispose(reason: SpillwayError): void {
    this.#isOver = true;
    this.#asked.clear();
    for (const { call } of this.#answering.values()) call.abort(reason);
  }

  async #reply(id: Id, method: string, params: unknown): Promise<void> {
    const call = new AbortController();
    this.#answering.set(id, { method, call });
    const answer = await this.answer(method, params, call).then(
      (result) => ({ result: result ?? null }),
      (thrown: unknown) => ({ error: toRpcError(toSpillwayError(thrown)) }),
    );
    this.#answering.delete(id);
    const failure = this.#say({ id, ...answer });
    // One too large for a frame, for example: without an answer, the other end would wait in vain.
    if (failure !== undefined) this.#say({ id, error: toRpcError(toSpillwayError(failure)) });
  }

  #cancel(params: unknown): void {
    const cancelled = Cancelled.safeParse(params);
    const { method, call } = (cancelled.success && this.#answering.get(cancelled.data.id)) || {};
    call?.abort(new SpillwayError('cancelled', `${method} was cancelled.`));
  }

  /**
   * Sends a message that nobody here waits for: after a disconnect, it is dropped, and its owner learns of that.
   * @returns why it could not be sent
   */
  #say(message: object): unknown {
    if (this.#isOver) return undefined;
    try {
      return this.send({ jsonrpc: '2.0', ...message });
    } catch (thrown) {
      return thrown;
    }
  }
}

/** The hint is sent only if it differs from the table's. */
const toRpcError = ({ message, code, hint, tabId, questionId, quotes }: SpillwayError): RpcError => ({
  code: CODED_ERROR,
  message,
  data: {
    code,
    ...(hint === ERRORS[code].hint ? {} : { hint }),
    ...(tabId === undefined ? {} : { tab_id: tabId }),
    ...(questionId === undefined ? {} : { question: { id: questionId } }),
    ...(quotes === undefined ? {} : { quotes }),
  },
});

/** The error that the other end raised, if this build knows its code. */
function toCodedError(error: RpcError, method: string): SpillwayError {
  const { data } = CodedError.safeParse(error.code === CODED_ERROR ? error.data : undefined);
  if (data === undefined || !isErrorCode(data.code))
    return new SpillwayError('upstream_error', `${method} failed at the other end: ${error.message}`);
  const { code, hint, tab_id: tabId, question, quotes } = data;
  return new SpillwayError(code, error.message, { hint, tabId, questionId: question?.id, quotes });
}
