import { onAbort } from '../core/signals.ts';
import type { SpillwaySession } from './types.ts';

/** What the next call of an order waits for. */
interface Order {
  writing: Promise<unknown>;
  reading: Promise<unknown>;
}

const ORDERS = new WeakMap<object, Order>();

/** Whether the calls of a tool may run beside each other. What is none of the session's changes no page. */
export const isReadOnly = (session: Pick<SpillwaySession, 'all' | 'has'>, name: string): boolean =>
  session.all().find((tool) => tool.name === name)?.isReadOnly ?? !session.has(name);

/**
 * Runs calls that a model asks for at once as it means them, one after the other: what may change
 * something waits for the calls before it, and those after it wait for its end. Calls that only read
 * run beside each other. One whose signal aborts waits no longer.
 *
 * @param of what the calls have in common: the step of an agent, or its session
 */
export function inOrder<T>(
  of: object,
  call: { readonly isReadOnly: boolean; readonly signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const order = ORDERS.get(of) ?? { writing: Promise.resolve(), reading: Promise.resolve() };
  ORDERS.set(of, order);
  const before = call.isReadOnly ? order.writing : Promise.all([order.writing, order.reading]);
  const result = endOrAbort(before, call.signal).then(work);
  // Whoever was cancelled while it waited has not ended what it waited for.
  const end = Promise.allSettled([before, result]);
  if (call.isReadOnly) order.reading = Promise.all([order.reading, end]);
  else order.writing = end;
  return result;
}

function endOrAbort(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const release = onAbort(signal, resolve);
    void work.then(() => {
      release();
      resolve();
    });
  });
}
