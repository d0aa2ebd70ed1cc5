import { createHash } from 'node:crypto';
import type { FoundRecord } from '../../../shared/extract/request.ts';

/**
 * Tells records that were seen on an earlier page from new ones. A record that a page itself says twice
 * is there twice; one that comes again with the next page, or in the part of a growing page that was
 * read before, is not. Remembers a digest a record.
 */
export class Fresh {
  readonly #given = new Map<string, number>();
  #here = new Map<string, number>();

  nextPage(): void {
    this.#here = new Map();
  }

  isFresh({ fields }: FoundRecord): boolean {
    const values = Object.entries(fields).map(([name, { value }]) => [name, value]);
    const digest = createHash('sha256').update(JSON.stringify(values)).digest('base64').slice(0, 20);
    const here = (this.#here.get(digest) ?? 0) + 1;
    this.#here.set(digest, here);
    if (here <= (this.#given.get(digest) ?? 0)) return false;
    this.#given.set(digest, here);
    return true;
  }
}
