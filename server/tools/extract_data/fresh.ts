import { createHash } from 'node:crypto';
import type { FoundRecord } from '../../../shared/extract/request.ts';

/** Records with the same values have the same digest. */
export function digestOf({ fields }: FoundRecord): string {
  const values = Object.entries(fields).map(([name, { value }]) => [name, value]);
  return createHash('sha256').update(JSON.stringify(values)).digest('base64').slice(0, 20);
}

/**
 * Tells records that were seen on an earlier page from new ones. A record that a page itself says twice
 * is there twice; one that comes again with the next page, or in the part of a growing page that was
 * read before, is not. Remembers a digest a record.
 */
export class SeenRecords {
  readonly #counts = new Map<string, number>();
  #countsOfPage = new Map<string, number>();

  nextPage(): void {
    this.#countsOfPage = new Map();
  }

  addIfNew(record: FoundRecord): boolean {
    const digest = digestOf(record);
    const here = (this.#countsOfPage.get(digest) ?? 0) + 1;
    this.#countsOfPage.set(digest, here);
    if (here <= (this.#counts.get(digest) ?? 0)) return false;
    this.#counts.set(digest, here);
    return true;
  }
}
