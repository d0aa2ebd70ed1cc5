import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { SpillwayError } from '../../../shared/errors.ts';

/** Whether the other server has answered, with an error of its own. */
export const isAnswer = (thrown: unknown): thrown is McpError =>
  thrown instanceof McpError &&
  thrown.code !== ErrorCode.RequestTimeout &&
  thrown.code !== ErrorCode.ConnectionClosed;

/** It leads back to us. */
export const isLoop = (thrown: unknown): thrown is SpillwayError =>
  thrown instanceof SpillwayError && thrown.code === 'upstream_loop';

/** The failure of a call whose task is not known to have ended. */
export const unknownEnd = ({ code, message, cause }: SpillwayError): SpillwayError =>
  new SpillwayError(
    code,
    `${message} ${code === 'timeout' ? 'The end of its task was asked for.' : 'Its task may still be at work there.'}`,
    { hint: 'Look at what it has done before you call again.', retryable: false, cause },
  );
