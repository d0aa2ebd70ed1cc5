import { PAGE_BUFFER_BYTES } from '../../../shared/base/limits.ts';
import type { FoundRecord } from '../../../shared/libraries/values/request.ts';
import {
  connectWorker,
  type Answering,
  answerRequests,
  assertReadable,
  pageFacts,
} from '../../dom/doorway.ts';
import { fingerprint } from '../../core/page/change-counter.ts';
import { Out } from '../../read/page/write/out.ts';
import { extract, type Extraction } from './engine.ts';
import { clickNext, findNext } from './next.ts';
import { EXTRACT_PORT, PART_UNITS, type ExtractDone, type FromExtract, type ToExtract } from './protocol.ts';

/** Text buffered in the page before the search waits for its reader. */
const BUFFER_UNITS = PAGE_BUFFER_BYTES / 2;

/** One search of this document: sends as many lines as the buffer takes, the rest as they are read. */
class ExtractSession {
  readonly #extraction: Extraction;
  readonly #records: Iterator<FoundRecord, unknown>;
  readonly #out = new Out(PART_UNITS);
  #isDone = false;
  #hasYielded = false;

  /** @throws PageError `selector_invalid`, `selector_not_found` */
  constructor(private readonly asked: Extract<ToExtract, { type: 'extract' }>) {
    this.#extraction = extract(document, asked.request, document.baseURI);
    this.#records = this.#extraction.records[Symbol.iterator]();
  }

  part(): { text: string; done: ExtractDone | null } {
    if (!this.#isDone && this.#out.units <= BUFFER_UNITS / 2) this.#fill();
    const text = this.#out.take(PART_UNITS).join('');
    return { text, done: this.#isDone && this.#out.isEmpty ? this.#finish() : null };
  }

  #fill(): void {
    while (this.#out.units < BUFFER_UNITS) {
      const { value, done } = this.#records.next();
      if (done === true) {
        this.#isDone = true;
        return;
      }
      this.#out.write(`${JSON.stringify(value)}\n`);
    }
    this.#hasYielded = true;
  }

  #finish(): ExtractDone {
    const summary = this.#extraction.summary();
    const { next } = this.asked;
    const detail = 'The page was too large to read in one step; it may have changed during the read.';
    const changed = this.#hasYielded ? [{ kind: 'page_may_have_changed', detail }] : [];
    return {
      page: pageFacts(summary.frames),
      summary: { ...summary, coverage: [...summary.coverage, ...changed] },
      next: next === undefined ? null : findNext(document, next, document.URL),
    };
  }
}

/** Answers the worker's requests about this document on one port. */
function serve(post: (message: FromExtract) => void): Answering<ToExtract> {
  const sessions = new Map<number, ExtractSession>();
  const send = (id: number): void => {
    const session = sessions.get(id);
    if (session === undefined) return;
    const { text, done } = session.part();
    if (done !== null) sessions.delete(id);
    post({ type: 'part', id, text, done });
  };
  const handle = (message: ToExtract): void => {
    const { id } = message;
    switch (message.type) {
      case 'extract':
        post({ type: 'started', id });
        assertReadable();
        sessions.set(id, new ExtractSession(message));
        return send(id);
      case 'pull':
        return send(id);
      case 'cancel':
        return void sessions.delete(id);
      case 'click':
        post({ type: 'measured', id, state: fingerprint(document) });
        return clickNext(document, message.selector);
      case 'measure':
        return post({ type: 'measured', id, state: fingerprint(document) });
    }
  };
  return { handle, forget: (id) => void sessions.delete(id), close: () => sessions.clear() };
}

answerRequests(connectWorker<ToExtract>(EXTRACT_PORT), serve);
