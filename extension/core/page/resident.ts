import { isObject } from '../../../shared/base/json.ts';
import type { Refs } from '../../dom/refs.ts';

/** Where `page.js` leaves itself in the content scripts' shared world. */
export const RESIDENT = Symbol.for('spillway.page');

/** The members of it that other scripts use. */
export interface ResidentPage {
  readonly refs: Refs;
  /** The element of a ref shown to a session; null if it is gone. */
  element(ref: string, viewer: string): Element | null;
}

/** @throws Error if `page.js` was not injected before */
export function residentPage(): ResidentPage {
  const found: unknown = Reflect.get(globalThis, RESIDENT);
  if (!isResidentPage(found)) throw new Error('page.js was not injected.');
  return found;
}

const isResidentPage = (value: unknown): value is ResidentPage =>
  isObject(value) && typeof value['element'] === 'function';
