import type { CallContext } from '../../core/context.ts';
import type { Cleaner } from '../cleaner.ts';
import { beginningOf } from './failures.ts';
import type { Step } from './news.ts';

const MESSAGE_LENGTH = 400;

/** Steps as ours: redacted, whole, and growing. What has no number is one step more, until there are numbers. */
export function stepsOf(context: CallContext, redact: Cleaner) {
  let last = -1;
  let hasNumbers = false;
  const shown = (message: string | undefined) =>
    message === undefined ? {} : { message: beginningOf(redact.json(message), MESSAGE_LENGTH) };
  return {
    count({ progress, total, message }: Step): void {
      hasNumbers = true;
      const done = Math.floor(progress);
      if (!Number.isFinite(done) || done <= last) return;
      last = done;
      const of = total === undefined || total < done ? {} : { total: Math.ceil(total) };
      context.progress({ done, ...of, ...shown(message) });
    },
    say(message: string | undefined): void {
      if (hasNumbers || message === undefined) return;
      last += 1;
      context.progress({ done: last, ...shown(message) });
    },
  };
}
