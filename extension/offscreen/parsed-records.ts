import type { ExtractRequest } from '../../shared/extract/plan.ts';
import type { FoundRecord } from '../../shared/extract/request.ts';
import { ContentLines } from '../page/crawl-lines.ts';
import { extract } from '../page/extract/engine.ts';
import { failureOf } from '../page/requests.ts';
import { PART_UNITS, type PageError } from './protocol.ts';

/** The records of a parsed document in lines of `crawl.page`, made as they are taken. */
export class ParsedRecords {
  /** What kept the search from beginning. */
  readonly error: PageError | null;
  readonly #records: Iterator<FoundRecord, unknown>;
  readonly #lines = new ContentLines('found');
  #isEnded = false;

  constructor(document: Document, request: ExtractRequest, url: string) {
    const { records, error } = search(document, request, url);
    this.error = error;
    this.#records = records[Symbol.iterator]();
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** The next lines, about {@link PART_UNITS}. */
  next(): string {
    let lines = '';
    while (lines.length < PART_UNITS) {
      const { value, done } = this.#records.next();
      if (done === true) {
        this.#isEnded = true;
        break;
      }
      lines += this.#lines.push(`${JSON.stringify(value)}\n`.toWellFormed());
    }
    return lines;
  }
}

function search(
  document: Document,
  request: ExtractRequest,
  url: string,
): { readonly records: Iterable<FoundRecord>; readonly error: PageError | null } {
  try {
    return { records: extract(document, request, url).records, error: null };
  } catch (thrown) {
    return { records: [], error: failureOf(thrown) };
  }
}
