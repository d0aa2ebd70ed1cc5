import {
  RELATED_TASK_META_KEY,
  type Client,
  type LoggingLevel,
  type RequestMeta,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { defer } from '../../../shared/base/async.ts';
import { isObject } from '../../../shared/base/json.ts';
import type { CallContext } from '../../core/context.ts';
import type { Cleaner } from '../answers.ts';
import { beginningOf } from './failures.ts';

export interface Step {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

const OfTask = z.looseObject({ taskId: z.string() });

/** The SDK's own mechanism never forgets who follows a task's progress. */
export class News {
  readonly #steps = new Map<string | number, (step: Step) => void>();
  readonly #waits = new Map<string, () => void>();
  #tokens = 0;

  constructor(client: Client) {
    client.setNotificationHandler('notifications/progress', ({ params }) =>
      this.#steps.get(params.progressToken)?.(params),
    );
    client.setNotificationHandler('notifications/tasks/status', { params: OfTask }, ({ taskId }) =>
      this.#waits.get(taskId)?.(),
    );
  }

  /** Calls back with each step of the request with the token, until it is stopped. */
  ofProgress(listener: (step: Step) => void): { readonly token: number; readonly stop: () => void } {
    const token = (this.#tokens += 1);
    this.#steps.set(token, listener);
    return { token, stop: () => void this.#steps.delete(token) };
  }

  /** The connection has ended: those who wait for news must find out. */
  end(): void {
    for (const wake of this.#waits.values()) wake();
  }

  /** News of a task: `next` resolves when the upstream next says something about it. */
  ofTask(taskId: string): { readonly next: () => Promise<void>; readonly stop: () => void } {
    let news = defer<void>();
    this.#waits.set(taskId, () => news.resolve());
    return {
      next: () => (news = defer<void>()).promise,
      stop: () => void this.#waits.delete(taskId),
    };
  }
}

/** The task that an upstream's request belongs to, by its own statement. */
export const taskOf = (meta: RequestMeta | undefined): string | undefined =>
  meta?.[RELATED_TASK_META_KEY]?.taskId;

export const withoutTask = (meta: unknown): unknown =>
  isObject(meta)
    ? Object.fromEntries(Object.entries(meta).filter(([key]) => key !== RELATED_TASK_META_KEY))
    : meta;

const MESSAGE_LENGTH = 400;

/**
 * Progress in our form: redacted, and rising. A report without a number counts as one step, until there
 * are numbers.
 */
export function stepsOf(context: CallContext, redact: Cleaner) {
  let last = -1;
  let hasNumbers = false;
  const shown = (message: string | undefined) =>
    message === undefined ? {} : { message: beginningOf(redact.json(message), MESSAGE_LENGTH) };
  return {
    count({ progress, total, message }: Step): void {
      hasNumbers = true;
      if (!Number.isFinite(progress) || progress <= last) return;
      last = progress;
      const of = total === undefined || total < progress ? {} : { total };
      context.progress({ done: progress, ...of, ...shown(message) });
    },
    say(message: string | undefined): void {
      if (hasNumbers || message === undefined) return;
      last += 1;
      context.progress({ done: last, ...shown(message) });
    },
  };
}

const LINES_MAX = 100;
const WINDOW_MS = 60_000;
const SHOWN_UNITS = 2_000;
/** More of a line than is shown: a cut may leave half a secret at its end. */
export const READ_UNITS = 16_000;

/** Forwards at most {@link LINES_MAX} lines a minute, each redacted and then cut. Counts the others. */
export class BoundedLines {
  /** The last received line, unchanged, forwarded or not. */
  last: string | null = null;
  #since = 0;
  #count = 0;

  constructor(
    private readonly redact: Cleaner,
    private readonly forward: (line: string, level: LoggingLevel | null) => void,
  ) {}

  /** @param level what the other server says of it; null for a line on stderr */
  write(text: string, level: LoggingLevel | null = null): void {
    const line = text.slice(0, READ_UNITS);
    this.last = line;
    const now = performance.now();
    if (this.#count === 0 || now - this.#since > WINDOW_MS) {
      if (this.#count > LINES_MAX) this.forward(`${this.#count - LINES_MAX} more lines were left out`, null);
      this.#since = now;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count <= LINES_MAX) this.forward(beginningOf(this.redact.json(line), SHOWN_UNITS), level);
  }
}
