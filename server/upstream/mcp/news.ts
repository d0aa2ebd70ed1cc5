import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ProgressNotificationSchema, TaskStatusNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { deferred } from '../../../shared/async/deferred.ts';

/** What a server says of its progress. */
export interface Step {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/**
 * What an upstream says of requests and tasks while they are at work. The SDK's own means never forget who follows the
 * progress of a task.
 */
export class News {
  readonly #steps = new Map<string | number, (step: Step) => void>();
  readonly #waits = new Map<string, () => void>();
  #tokens = 0;

  constructor(client: Client) {
    client.setNotificationHandler(ProgressNotificationSchema, ({ params }) =>
      this.#steps.get(params.progressToken)?.(params),
    );
    client.setNotificationHandler(TaskStatusNotificationSchema, ({ params: { taskId } }) =>
      this.#waits.get(taskId)?.(),
    );
  }

  /** Calls back with each step of the request that has the token, until it is stopped. */
  ofProgress(listener: (step: Step) => void): { readonly token: number; readonly stop: () => void } {
    const token = (this.#tokens += 1);
    this.#steps.set(token, listener);
    return { token, stop: () => void this.#steps.delete(token) };
  }

  /** The connection has ended: who waits for news shall find out. */
  end(): void {
    for (const wake of this.#waits.values()) wake();
  }

  /** News of a task: `next` resolves when the upstream says something of it from now on. */
  ofTask(taskId: string): { readonly next: () => Promise<void>; readonly stop: () => void } {
    let news = deferred<void>();
    this.#waits.set(taskId, () => news.resolve());
    return {
      next: () => (news = deferred<void>()).promise,
      stop: () => void this.#waits.delete(taskId),
    };
  }
}
