import browser from 'webextension-polyfill';
import { z } from 'zod';

const KEY = 'question_pictures';
/** Pictures that are kept: those of the questions that were shown last. */
const MOST = 8;

const Kept = z.array(z.tuple([z.string().max(64), z.string().max(41_000).nullable()])).max(MOST);

/** The pictures of what questions are about, by question. They outlive the worker, not the browser. */
export class Pictures {
  #taken = new Map<string, string | null>();
  readonly #coming = new Set<string>();
  /** Resolves when what an earlier worker kept has been read. */
  readonly loaded: Promise<void>;

  constructor() {
    this.loaded = this.#load();
  }

  /** The picture for a question, taken once: without data until then, and null where there is none. */
  of(
    question: string,
    take: () => Promise<string | null>,
    onTaken: () => void,
  ): { readonly data: string | null } | null {
    const data = this.#taken.get(question);
    if (data !== undefined) return data === null ? null : { data };
    if (this.#coming.has(question)) return { data: null };
    this.#coming.add(question);
    void take()
      // A page that is gone has no picture; the act will say so.
      .catch(() => null)
      .then(async (picture) => {
        this.#coming.delete(question);
        this.#taken = new Map([...this.#taken, [question, picture] as const].slice(-MOST));
        onTaken();
        await browser.storage.session.set({ [KEY]: [...this.#taken] }).catch(() => undefined);
      });
    return { data: null };
  }

  async #load(): Promise<void> {
    const { [KEY]: kept } = await browser.storage.session.get(KEY);
    const parsed = Kept.safeParse(kept);
    if (parsed.success) this.#taken = new Map(parsed.data);
  }
}
