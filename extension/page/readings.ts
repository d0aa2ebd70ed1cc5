import type { ChangeCounter } from './change-counter.ts';
import type { Loans } from './loans.ts';
import type { FromPage, ToPage } from './protocol.ts';
import type { Refs } from './refs.ts';
import { ReadSession } from './session.ts';
import type { FilledFields } from './act/filled-fields.ts';
import { SkeletonSession } from './skeleton/session.ts';
import { findUnrest } from './unrest.ts';
import type { ShownSnapshots } from './write/snapshot-memory.ts';

/** What the readings of one port work with. */
interface Reading {
  readonly refs: Refs;
  readonly shown: ShownSnapshots;
  readonly filled: FilledFields;
  readonly loans: Loans;
  /** Knows whether the page still changes. */
  readonly pulse: ChangeCounter;
  readonly post: (message: FromPage) => void;
}

/** The readings that one port has begun and not taken to their end. */
export class Readings {
  readonly #with: Reading;
  readonly #sessions = new Map<number, ReadSession | SkeletonSession>();

  constructor(reading: Reading) {
    this.#with = reading;
  }

  /** Walks the document at once, and sends the first part. */
  read({ id, options, context, showing }: Extract<ToPage, { type: 'read' }>): void {
    const { refs, shown, filled, loans, pulse } = this.#with;
    const unrest = context.isTop ? findUnrest(document, pulse) : null;
    const lent = loans.borrow(id, showing);
    const session =
      options.format === 'skeleton'
        ? new SkeletonSession(options, context, refs)
        : new ReadSession(options, context, { refs, lent, unrest, shown, filled });
    this.#sessions.set(id, session);
    this.#send(id);
  }

  pull({ id, showing, budget }: Extract<ToPage, { type: 'pull' }>): void {
    const session = this.#sessions.get(id);
    const lent = this.#with.loans.borrow(id, showing);
    if (session instanceof ReadSession && lent !== null) session.lend(lent);
    if (session instanceof ReadSession && budget !== undefined) session.resume(budget);
    this.#send(id);
  }

  forget(id: number): void {
    this.#sessions.delete(id);
  }

  clear(): void {
    this.#sessions.clear();
  }

  #send(id: number): void {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    const { loans, post } = this.#with;
    const { isNumbered, ...part } = session.next();
    if (part.done !== null) this.#sessions.delete(id);
    post({ type: 'part', id, ...part, ...(isNumbered && loans.settle(id)) });
  }
}
