import { ChangeCounter, findUnrest } from './change-counter.ts';
import { Loans, Refs } from '../../dom/refs.ts';
import { type FromPage, type ToPage, PAGE_PORT } from './protocol.ts';
import { ReadSession } from '../../read/page/session.ts';
import { FilledFields } from '../../act/page/controls.ts';
import { SkeletonSession } from '../../read/page/skeleton/session.ts';
import { ShownSnapshots } from '../../read/page/write/snapshot-out.ts';
import { isObject } from '../../../shared/base/json.ts';
import { PageActs } from '../../act/page/acts.ts';
import type { HandedElement } from '../../act/page/held-elements.ts';
import { ElementBoxes } from '../../pictures/page/box.ts';
import { connectWorker, type Answering, assertReadable, answerRequests } from '../../dom/doorway.ts';
import { answerFind } from '../../find/page/find/find.ts';
import { windowPath } from '../../dom/frames.ts';
import { locateRef } from '../../find/page/locate/locate.ts';
import { RESIDENT, type ResidentPage } from './resident.ts';
import { PageScroller } from '../../read/page/scroller.ts';
import { summarizeDocument } from '../../crawl/page/document-summary.ts';

/** Elements of a document whose first part is sign of life enough. */
const QUICKLY_READ = 1_000;

interface Reading extends Pick<KeptSession, 'refs' | 'shown' | 'filled'> {
  readonly loans: Loans;
  readonly pulse: ChangeCounter;
  readonly post: (message: FromPage) => void;
}

/** Unfinished readings of one port. */
class Readings {
  readonly #sessions = new Map<number, ReadSession | SkeletonSession>();

  constructor(private readonly reading: Reading) {}

  /** Walks the document at once, and sends the first part. */
  read({ id, options, context, showing }: Extract<ToPage, { type: 'read' }>): void {
    const { refs, shown, filled, loans, pulse } = this.reading;
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
    const lent = this.reading.loans.borrow(id, showing);
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
    const { loans, post } = this.reading;
    const { isNumbered, ...part } = session.next();
    if (part.done !== null) this.#sessions.delete(id);
    post({ type: 'part', id, ...part, ...(isNumbered && loans.settle(id)) });
  }
}

/**
 * State of the document, not of a port: the worker may reconnect at any time, after a restart or because two calls
 * injected the script at once.
 */
interface KeptSession {
  /** The debugger finds this script's document by it. */
  readonly id: string;
  readonly refs: Refs;
  readonly scroller: PageScroller;
  readonly shown: ShownSnapshots;
  readonly filled: FilledFields;
  readonly handed: HandedElement;
}

/** Left in the isolated world, so that a second injection finds it. */
interface Resident extends KeptSession, ResidentPage {
  connect(): void;
  /** Called by the debugger, as the next is. */
  hand(el: Element): void;
}

/** Answers the worker's requests about this document on one port. */
function serve(
  { id: scriptId, refs, scroller, shown, filled, handed }: KeptSession,
  post: (message: FromPage) => void,
): Answering<ToPage> {
  const loans = new Loans();
  const boxes = new ElementBoxes(refs);
  // Created early, so that the first read already knows whether the page still changes.
  const pulse = new ChangeCounter(document);
  const acts = new PageActs({ refs, filled, handed, scriptId }, post);
  const readings = new Readings({ refs, shown, filled, loans, pulse, post });
  const forget = (id: number): { last: number } | undefined => {
    readings.forget(id);
    boxes.forget(id);
    acts.forget(id);
    return loans.settle(id);
  };
  const handle = (message: ToPage): void | Promise<void> => {
    switch (message.type) {
      case 'read':
        if (document.getElementsByTagName('*').length > QUICKLY_READ)
          post({ type: 'started', id: message.id });
        assertReadable();
        return readings.read(message);
      case 'pull':
        return readings.pull(message);
      case 'cancel':
        return void forget(message.id);
      case 'box':
        assertReadable();
        return post(boxes.answer(message, loans));
      case 'locate': {
        const place = { path: windowPath(window), url: document.URL, width: innerWidth, height: innerHeight };
        return post({ type: 'located', id: message.id, ...place });
      }
      case 'pulse':
        return post({ type: 'pulsed', id: message.id, ...pulse.take() });
      case 'survey':
        assertReadable();
        return post({ type: 'surveyed', id: message.id, survey: summarizeDocument(document) });
      case 'scroll':
        assertReadable();
        return scroller.move(message.move).then((state) => post({ type: 'scrolled', id: message.id, state }));
      case 'find':
        assertReadable();
        return post(answerFind(message, { refs, loans }));
      case 'act':
        assertReadable();
        return acts.reply(message, loans).then(post);
      case 'given':
        return acts.take(message);
      case 'news':
        return acts.hear(message);
    }
  };
  const close = (): void => {
    for (const part of [readings, loans]) part.clear();
    for (const part of [boxes, acts]) part.forgetAll();
    pulse.stop();
  };
  return { handle, forget, close };
}

function createResident(): Resident {
  // Not `crypto.randomUUID`, which pages over plain HTTP lack.
  const id = Math.random().toString(36).slice(2);
  const kept: KeptSession = {
    id,
    refs: new Refs(),
    scroller: new PageScroller(),
    shown: new ShownSnapshots(),
    filled: new FilledFields(),
    handed: { el: null },
  };
  return {
    ...kept,
    connect: () => answerRequests(connectWorker<ToPage>(PAGE_PORT), (post) => serve(kept, post)),
    hand: (el) => void (kept.handed.el = el),
    element: (ref, viewer) => {
      kept.refs.use(null);
      try {
        return locateRef(ref, { refs: kept.refs, viewer }).el;
      } catch {
        return null;
      }
    },
  };
}

function isResident(value: unknown): value is Resident {
  return isObject(value) && typeof value['connect'] === 'function';
}

/** The script of a reloaded extension can no longer connect, and is replaced. */
function connect(): void {
  const found: unknown = Reflect.get(globalThis, RESIDENT);
  if (isResident(found)) {
    try {
      return found.connect();
    } catch {
      // Orphaned by a reload of the extension; the new resident replaces it.
    }
  }
  const resident = createResident();
  Reflect.set(globalThis, RESIDENT, resident);
  resident.connect();
}

connect();
