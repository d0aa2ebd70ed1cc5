import { z } from 'zod';
import { isObject } from '../../shared/base/json.ts';

type Dispatch = (options: object, handler: object) => boolean;
interface Dispatcher {
  compose(interceptor: (dispatch: Dispatch) => Dispatch): Dispatcher;
}

/** By this name Node and `undici` share what sends requests. Programs may replace it. */
export const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
export const Dispatcher = z.custom<Dispatcher>(
  (value) => isObject(value) && typeof value['compose'] === 'function',
);

/**
 * `fetch` without Node's limits of 300 s for silence before and within an answer: calls have limits of their
 * own, and a dead connection is found by TCP.
 */
export const patientFetch: typeof fetch = (input, init) => {
  // Node 20 has no dispatcher before the first use of such a class.
  void new Headers();
  const { data } = Dispatcher.safeParse(Reflect.get(globalThis, DISPATCHER));
  if (data === undefined) return fetch(input, init);
  const dispatcher = data.compose(
    (dispatch) => (options, handler) => dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
  );
  return fetch(input, Object.assign({}, init, { dispatcher }));
};
