import type * as z from 'zod/mini';
import { SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import type { PagePort } from './doorway.ts';
import { Addressed, type Failure } from './protocol.ts';

interface Answering<Request> {
  readonly schema: z.ZodMiniType<Request>;
  readonly handle: (request: Request) => void;
  /** Drops what was kept for a request that failed. */
  readonly forget: (id: number) => void;
}

/**
 * Parses and handles the requests that come over a port. One that is malformed or throws is answered
 * with a coded `failed`; one without an id is dropped, since nothing waits for it.
 */
export function answerRequests<Request extends { readonly id: number }>(
  port: PagePort,
  { schema, handle, forget }: Answering<Request>,
): void {
  port.onMessage.addListener((message) => {
    const request = schema.safeParse(message);
    const id = request.success ? request.data.id : Addressed.safeParse(message).data?.id;
    if (id === undefined) return;
    try {
      if (!request.success)
        throw new SpillwayError('internal_error', 'The request to the page is malformed.');
      handle(request.data);
    } catch (thrown) {
      forget(id);
      const { code, message: text } = toSpillwayError(thrown);
      port.postMessage({ type: 'failed', id, code, message: text.toWellFormed() } satisfies Failure);
    }
  });
}
