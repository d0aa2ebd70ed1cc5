import { batch, signal, type Signal } from '@preact/signals';
import { problemOf, readTextPage, UNREACHED, type ShownError } from './answer.ts';
import type { CallTool } from './item-pages.ts';

/** Bytes of a stored text that are asked for at once. */
const PAGE_BYTES = 64 * 1_024;

/** The text of an answer: whole, or as far as it was read from where it is stored. */
export class PageText {
  readonly text = signal<string | null>(null);
  readonly leftBytes = signal(0);
  readonly isLoading = signal(false);

  readonly #call: CallTool;
  readonly #failure: Signal<ShownError | null>;
  #handle: string | null = null;
  #next = 0;

  /** @param failure takes why the last part did not come, or null when it did */
  constructor(call: CallTool, failure: Signal<ShownError | null>) {
    this.#call = call;
    this.#failure = failure;
  }

  /** What belongs to an answer that another has replaced. */
  forget(): void {
    this.#handle = null;
    batch(() => {
      this.text.value = null;
      this.leftBytes.value = 0;
      this.isLoading.value = false;
    });
  }

  hold(text: string): void {
    this.#handle = null;
    batch(() => {
      this.text.value = text;
      this.leftBytes.value = 0;
    });
  }

  /** Reads the beginning of a stored text. */
  async open(handle: string): Promise<void> {
    this.#handle = handle;
    this.#next = 0;
    await this.more();
  }

  /** Reads the next part. */
  async more(): Promise<void> {
    const handle = this.#handle;
    if (handle === null || this.isLoading.value) return;
    this.isLoading.value = true;
    const answer = await this.#call('oc_output_fetch_internal', {
      output_handle: handle,
      offset: this.#next,
      limit: PAGE_BYTES,
      format: 'bytes',
    });
    // Another answer has taken its place meanwhile.
    if (handle !== this.#handle) return;
    const page = answer === null ? null : readTextPage(answer);
    batch(() => {
      this.isLoading.value = false;
      this.#failure.value = page !== null ? null : answer === null ? UNREACHED : problemOf(answer);
      if (page === null) return;
      this.text.value = (this.text.value ?? '') + page.content;
      this.leftBytes.value = page.next_offset === null ? 0 : page.total - page.next_offset;
      this.#next = page.next_offset ?? page.total;
    });
  }
}
