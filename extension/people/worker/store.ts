import browser from 'webextension-polyfill';
import { ASKS_KEY, DAMAGED_KEY, POLICY_KEY, POLICY_LOCK, RISKS } from '../../../shared/core/policy/names.ts';
import { Policy } from '../../../shared/people/evaluate.ts';
import type { Risk } from '../../../shared/core/policy/risks.ts';
import {
  type Effect,
  DEFAULT_RULES,
  NO_CHANGES,
  PRIVATE_LAUNCH_RULES,
  StoredPolicy,
  UNASKED_RULES,
} from '../../../shared/people/policy.ts';
import type { ShownPolicy } from '../../ui/frame/protocol.ts';

/** The stored rules of this profile. */
export interface Rules {
  readonly policy: Policy;
  readonly stored: StoredPolicy;
  /** The stored rules are unreadable, so the defaults apply. They are kept for a person to inspect. */
  readonly isDamaged: boolean;
  /** The person has turned off approvals, or the browser is a server's own. */
  readonly asksNobody: boolean;
}

/** A person's rules: read once, and again when they change. */
export class PolicyStore {
  #isPrivate = false;
  #rules: Promise<Rules> | null = null;
  /** The same once it has been read, for synchronous access. */
  #known: Rules | null = null;
  readonly #listeners: (() => void)[] = [];

  constructor() {
    browser.storage.onChanged.addListener((changes, area) => {
      if (area !== 'local' || !(POLICY_KEY in changes || ASKS_KEY in changes)) return;
      this.#forget();
      for (const listener of this.#listeners) listener();
    });
  }

  /** Whether a server started this browser for itself, as its own native host reports. */
  setPrivate(isPrivate: boolean): void {
    if (isPrivate !== this.#isPrivate) this.#forget();
    this.#isPrivate = isPrivate;
  }

  /** The current rules. */
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

  /** Calls back after any change of the rules. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Saves a person's changes. @throws ZodError for invalid rules */
  async save(changed: StoredPolicy): Promise<void> {
    await browser.storage.local.set({ [POLICY_KEY]: StoredPolicy.parse(changed) });
    this.#forget();
  }

  /** Changes the rules as they are now: the person may be editing them. */
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

  /** Saves whether the person wants to approve acts. */
  async setAsks(asks: boolean): Promise<void> {
    await browser.storage.local.set({ [ASKS_KEY]: asks });
    this.#forget();
  }

  #forget(): void {
    this.#rules = null;
    this.#known = null;
  }

  /** Caches the rules just read, unless they have changed meanwhile. */
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
