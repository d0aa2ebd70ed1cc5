import { batch, signal, type Signal } from '@preact/signals';
import { isObject, type JsonObject } from '../../../../shared/json.ts';
import { problemOf, type ShownError } from './answer.ts';
import type { CallTool } from './pages.ts';

/** Recipes per search: a person reads no more. */
const SHOWN = 50;

/** A person's search through recipes, and the recipes they open. */
export class RecipeSearch {
  readonly found = signal<JsonObject | null>(null);
  readonly query = signal('');
  readonly isBusy = signal(false);
  readonly opened = signal<ReadonlyMap<string, JsonObject | null>>(new Map());

  #again: (() => Promise<void>) | null = null;
  /** The latest search: an earlier one's answer is dropped if it arrives late. */
  #asked = 0;

  /** @param failure set to why the last call failed, or to null if it did not */
  constructor(
    private readonly call: CallTool,
    private readonly failure: Signal<ShownError | null>,
  ) {}

  forget(): void {
    this.#asked += 1;
    this.#again = null;
    batch(() => {
      this.found.value = null;
      this.query.value = '';
      this.isBusy.value = false;
      this.opened.value = new Map();
    });
  }

  /** Repeats the last failed call. */
  async retry(): Promise<void> {
    await this.#again?.();
  }

  /** @param query in words; an empty one finds all */
  async search(query: string): Promise<void> {
    const asked = (this.#asked += 1);
    this.isBusy.value = true;
    const args = { ...(query === '' ? {} : { query }), limit: SHOWN };
    const found = await this.#read('recipe_search_internal', args, () => this.search(query));
    if (asked !== this.#asked) return;
    batch(() => {
      this.isBusy.value = false;
      if (found === null) return;
      this.query.value = query;
      this.found.value = found;
      this.opened.value = new Map();
    });
  }

  /** Opens or closes a recipe. */
  async toggle(name: string): Promise<void> {
    if (this.opened.value.has(name)) this.#set(name, undefined);
    else await this.open(name);
  }

  async open(name: string): Promise<void> {
    const asked = this.#asked;
    this.#set(name, null);
    const recipe = await this.#read('recipe_get_internal', { name }, () => this.open(name));
    // It was closed meanwhile, or another search has replaced it.
    if (asked !== this.#asked || !this.opened.value.has(name)) return;
    this.#set(name, recipe ?? undefined);
  }

  /** @param recipe null while it is read; undefined closes it */
  #set(name: string, recipe: JsonObject | null | undefined): void {
    const opened = new Map(this.opened.value);
    opened.delete(name);
    if (recipe !== undefined) opened.set(name, recipe);
    this.opened.value = opened;
  }

  async #read(tool: string, args: JsonObject, again: () => Promise<void>): Promise<JsonObject | null> {
    const asked = this.#asked;
    const answer = await this.call(tool, args);
    if (asked !== this.#asked) return null;
    const value = answer === null || answer.isError ? undefined : answer.value;
    const isRead = isObject(value) && !('error' in value);
    this.#again = isRead ? null : again;
    this.failure.value = isRead ? null : problemOf(answer);
    return isRead ? value : null;
  }
}
