import { signal } from '@preact/signals';
import type { Answer, Asks } from '../../ports/feed.ts';
import { Reading, type Ask } from '../feed/home-lists.ts';

/** A page of a program's calls. A slow read is shown too, though the program continues meanwhile. */
export class CallsOfProgram extends Reading<'runs.calls'> {
  readonly page = signal<Answer<'runs.calls'> | null>(null);
  #from: number | undefined;

  constructor(
    ask: Ask<'runs.calls'>,
    private readonly of: Asks<'runs.calls'>,
  ) {
    super(ask);
  }

  /** Shows the page that begins with a call. */
  turn(from: number): Promise<void> {
    this.#from = from;
    return this.refresh();
  }

  protected async read(): Promise<void> {
    const from = this.#from;
    const page = await this.ask({ ...this.of, ...(from === undefined ? {} : { from }) });
    if (from === this.#from) this.page.value = page;
  }
}
