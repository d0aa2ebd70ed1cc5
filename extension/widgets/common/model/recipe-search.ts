import { signal, type Signal } from '@preact/signals';
import type { RecipeShelf } from '../../../ui/faces/face.ts';
import { isObject, type JsonObject } from '../../../../shared/base/json.ts';
import { readShown, type ShownValue } from '../../../../shared/core/tools/shown.ts';
import { problemOf, type ShownError } from './answer.ts';
import type { CallTool } from './pages.ts';

/** Recipes per search: a person reads no more. */
const SHOWN = 50;

type FoundRecipes = Omit<RecipeShelf, 'search' | 'toggle'>;

const NOTHING: FoundRecipes = { found: null, query: '', isBusy: false, opened: new Map() };

/** A person's search through recipes, and the recipes they open. */
export class RecipeSearch {
  readonly shelf = signal(NOTHING);

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
    this.shelf.value = NOTHING;
  }

  /** Repeats the last failed call. */
  async retry(): Promise<void> {
    await this.#again?.();
  }

  /** @param query in words; an empty one finds all */
  async search(query: string): Promise<void> {
    const asked = (this.#asked += 1);
    this.#show({ isBusy: true });
    const args = { ...(query === '' ? {} : { query }), limit: SHOWN };
    const found = await this.#read('recipe_search', args, () => this.search(query));
    if (asked !== this.#asked) return;
    this.#show({ ...(found === null ? {} : { found, query, opened: NOTHING.opened }), isBusy: false });
  }

  /** Opens or closes a recipe. */
  async toggle(name: string): Promise<void> {
    if (this.shelf.value.opened.has(name)) this.#set(name, undefined);
    else await this.open(name);
  }

  async open(name: string): Promise<void> {
    const asked = this.#asked;
    this.#set(name, null);
    const recipe = await this.#read('recipe_get', { name }, () => this.open(name));
    // It was closed meanwhile, or another search has replaced it.
    if (asked !== this.#asked || !this.shelf.value.opened.has(name)) return;
    this.#set(name, recipe ?? undefined);
  }

  #show(change: Partial<FoundRecipes>): void {
    this.shelf.value = { ...this.shelf.value, ...change };
  }

  /** @param recipe null while it is read; undefined closes it */
  #set(name: string, recipe: ShownValue<'recipe_get'> | null | undefined): void {
    const opened = new Map(this.shelf.value.opened);
    opened.delete(name);
    if (recipe !== undefined) opened.set(name, recipe);
    this.#show({ opened });
  }

  async #read<Tool extends 'recipe_search' | 'recipe_get'>(
    tool: Tool,
    args: JsonObject,
    again: () => Promise<void>,
  ): Promise<ShownValue<Tool> | null> {
    const asked = this.#asked;
    const answer = await this.call(`${tool}_internal`, args);
    if (asked !== this.#asked) return null;
    const value = answer === null || answer.isError ? undefined : answer.value;
    const shown = isObject(value) && !('error' in value) ? readShown(tool, { value }) : null;
    this.#again = shown === null ? again : null;
    this.failure.value = shown === null ? problemOf(answer) : null;
    return shown?.value ?? null;
  }
}
