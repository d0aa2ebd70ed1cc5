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
