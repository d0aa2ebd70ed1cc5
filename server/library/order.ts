import { anySignal } from '../../shared/async/abort.ts';
import { abortable } from '../../shared/async/wait.ts';
import type { SpillwaySession } from './types.ts';

/** What the next call of an order waits for. Nothing comes of it: a result would live as long as the order. */
interface Order {
  writing: Promise<void>;
  reading: Promise<void>;
}

/** What orders know of a session. */
type OrderedSession = Pick<SpillwaySession, 'find' | 'has' | 'signal'>;

/** A call that a model requests together with others. */
export interface OrderedCall {
  readonly name: string;
  /** What the calls of a group have in common. Default: the session. */
  readonly step?: object | undefined;
  /** With it, as with the end of the session, the call waits no longer. */
  readonly signal?: AbortSignal | undefined;
}

const ORDERS = new WeakMap<object, Order>();

/** Whether the calls of a tool may run concurrently. Tools that are not the session's change no page. */
export const isReadOnly = (session: Pick<SpillwaySession, 'find' | 'has'>, name: string): boolean =>
  session.find(name)?.isReadOnly ?? !session.has(name);

/**
 * Runs calls that a model asks for at once as it means them, one after the other: what may change
 * something waits for the calls before it, and those after it wait for its end. Calls that only read
 * run concurrently. Nothing waits for tools that are not the session's: a caller's own tool may make
 * calls of the same order.
 */
export function inOrder<T>(
  session: OrderedSession,
  { name, step = session, signal }: OrderedCall,
  work: () => Promise<T>,
): Promise<T> {
  const order = ORDERS.get(step) ?? { writing: Promise.resolve(), reading: Promise.resolve() };
  ORDERS.set(step, order);
  const reads = isReadOnly(session, name);
  const before = reads ? order.writing : endOf(order.writing, order.reading);
  const result = endOrAbort(before, [session.signal, signal]).then(work);
  if (!session.has(name)) return result;
  // A call that was cancelled while it waited has not ended the calls that it waited for.
  const end = endOf(before, result);
  if (reads) order.reading = endOf(order.reading, end);
  else order.writing = end;
  return result;
}

async function endOf(...work: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(work);
}

async function endOrAbort(work: Promise<void>, signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  const { signal, release } = anySignal(signals);
  await abortable(work, signal).catch(() => undefined);
  release();
}
