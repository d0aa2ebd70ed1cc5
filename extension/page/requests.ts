import type { PagePort } from './doorway.ts';
import { failureOf } from './page-error.ts';
import type { Failure } from './protocol.ts';

interface Answering<Request> {
  readonly handle: (request: Request) => void | Promise<void>;
  /** Drops what was kept for a request that failed. Answers what its failure says besides the reason. */
  readonly forget: (id: number) => Pick<Failure, 'last'> | undefined | void;
}

/** Handles the requests that come over a port. One that throws or rejects is answered with a coded `failed`. */
export function answerRequests<Request extends { readonly id: number }>(
  port: PagePort<Request>,
  { handle, forget }: Answering<Request>,
): void {
  port.onMessage.addListener((request) => {
    const fail = (thrown: unknown): void => {
      const { id } = request;
      const more = forget(id);
      port.postMessage({ type: 'failed', id, ...failureOf(thrown), ...more } satisfies Failure);
    };
    try {
      handle(request)?.catch(fail);
    } catch (thrown) {
      fail(thrown);
    }
  });
}
