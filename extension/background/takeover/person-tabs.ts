import { SpillwayError } from '../../../shared/errors.ts';

interface TabFacts {
  readonly loaded: Promise<void>;
  has(tabId: number): boolean;
  hadAt(tabId: number, at: number): boolean;
}

/** Tells that a person has been given a tab, or has given it back. */
export type PersonTabListener = (tabId: number, isTaken: boolean) => void;

/** Which tabs a person has, for all that would read, act on or record them. */
export class PersonTabs {
  #facts: TabFacts = { loaded: Promise.resolve(), has: () => false, hadAt: () => false };
  readonly #listeners = new Set<PersonTabListener>();

  /** Call it while the worker starts. */
  follow(facts: TabFacts): void {
    this.#facts = facts;
  }

  /** Resolves when it is known which tabs a person has had since before this worker. */
  get loaded(): Promise<void> {
    return this.#facts.loaded;
  }

  has(tabId: number): boolean {
    return this.#facts.has(tabId);
  }

  /** Whether a person had the tab at a time, in milliseconds since the epoch. */
  hadAt(tabId: number, at: number): boolean {
    return this.#facts.hadAt(tabId, at);
  }

  /** @throws SpillwayError `person_has_tab` */
  check(tabId: number): void {
    if (this.has(tabId)) throw personHasTab(tabId);
  }

  onChange(listener: PersonTabListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Called by the take-overs alone. */
  tell(tabId: number, isTaken: boolean): void {
    for (const listener of [...this.#listeners]) listener(tabId, isTaken);
  }
}

export const personHasTab = (tabId: number): SpillwayError =>
  new SpillwayError('person_has_tab', `A person has tab ${tabId}: an agent asked them to take it over.`);
