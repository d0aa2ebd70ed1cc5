import browser from 'webextension-polyfill';
import { ASKS_KEY, DAMAGED_KEY, POLICY_KEY, POLICY_LOCK, RISKS } from '../../../shared/policy/names.ts';
import { Policy } from '../../../shared/policy/evaluate.ts';
import type { Risk } from '../../../shared/policy/risks.ts';
import {
  type Effect,
  DEFAULT_RULES,
  NO_CHANGES,
  PRIVATE_LAUNCH_RULES,
  StoredPolicy,
  UNASKED_RULES,
} from '../../../shared/policy/policy.ts';
import type { ShownPolicy } from '../../panel/protocol.ts';

/** The rules of this profile, as they are stored. */
export interface Rules {
  readonly policy: Policy;
  readonly stored: StoredPolicy;
  /** The stored rules are unreadable, so the defaults apply. They are kept for a person to inspect. */
  readonly isDamaged: boolean;
  /** The person has unticked that they are asked, or the browser is a server's own. */
  readonly asksNobody: boolean;
}

/** The rules of a person: read once, and again when they change. */
export class PolicyStore {
  #isPrivate = false;
  #rules: Promise<Rules> | null = null;
  /** The same, once it has been read: asking for it costs nothing. */
  #known: Rules | null = null;
  readonly #listeners: (() => void)[] = [];

  constructor() {
    browser.storage.onChanged.addListener((changes, area) => {
      if (area !== 'local' || !(POLICY_KEY in changes || ASKS_KEY in changes)) return;
      this.#forget();
      for (const listener of this.#listeners) listener();
    });
  }

  /** Whether a server started this browser for itself: its own native host says so. */
  setPrivate(isPrivate: boolean): void {
    if (isPrivate !== this.#isPrivate) this.#forget();
    this.#isPrivate = isPrivate;
  }

  /** The rules as they are now. */
  rules(): Rules | Promise<Rules> {
    return this.#known ?? (this.#rules ??= this.#keep(this.#read()));
  }

  async summary(): Promise<ShownPolicy> {
    const { policy, stored, isDamaged } = await this.rules();
    const having = (wanted: Effect): Risk[] =>
      RISKS.filter(
        (risk) => policy.judge({ risk, site: null, agent: '', fromElsewhere: false }).effect === wanted,
      );
    return {
      allowed: having('allow'),
      asked: having('ask'),
      denied: having('deny'),
      rules: stored.rules.length,
      isDamaged,
    };
  }

  /** Calls back when the rules have been changed, wherever that was. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Keeps a person's changes. @throws ZodError for invalid rules */
  async save(changed: StoredPolicy): Promise<void> {
    await browser.storage.local.set({ [POLICY_KEY]: StoredPolicy.parse(changed) });
    this.#forget();
  }

  /** Changes the rules as they are now: a person may be editing them. */
  change(change: (stored: StoredPolicy) => StoredPolicy): Promise<void> {
    return navigator.locks.request(POLICY_LOCK, async () => {
      this.#forget();
      const { stored } = await this.rules();
      await this.save(change(stored));
    });
  }

  async asks(): Promise<boolean> {
    const { [ASKS_KEY]: asks } = await browser.storage.local.get(ASKS_KEY);
    return asks !== false;
  }

  /** Keeps whether the person wants to be asked about acts. */
  async setAsks(asks: boolean): Promise<void> {
    await browser.storage.local.set({ [ASKS_KEY]: asks });
    this.#forget();
  }

  #forget(): void {
    this.#rules = null;
    this.#known = null;
  }

  /** Remembers the rules read, unless they have changed meanwhile. */
  #keep(reading: Promise<Rules>): Promise<Rules> {
    const kept = reading.then((rules) => {
      if (this.#rules === kept) this.#known = rules;
      return rules;
    });
    return kept;
  }

  async #read(): Promise<Rules> {
    const { [POLICY_KEY]: found } = await browser.storage.local.get(POLICY_KEY);
    const parsed = found === undefined ? { success: true, data: NO_CHANGES } : StoredPolicy.safeParse(found);
    const stored = parsed.data ?? NO_CHANGES;
    const asks = await this.asks();
    const shipped = this.#isPrivate ? PRIVATE_LAUNCH_RULES : asks ? DEFAULT_RULES : UNASKED_RULES;
    const rules = {
      policy: new Policy({ stored, shipped }),
      stored,
      isDamaged: !parsed.success,
      asksNobody: this.#isPrivate || !asks,
    };
    if (rules.isDamaged) await browser.storage.local.set({ [DAMAGED_KEY]: found });
    return rules;
  }
}
