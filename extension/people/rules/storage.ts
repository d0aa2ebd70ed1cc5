import browser from 'webextension-polyfill';
import { ASKS_KEY, DAMAGED_KEY, POLICY_KEY, POLICY_LOCK } from '../../../shared/core/policy/names.ts';
import { NO_CHANGES, StoredPolicy } from '../../../shared/people/policy.ts';

export interface StoredRules {
  readonly stored: StoredPolicy;
  readonly asks: boolean;
  /** The stored value, unchanged. */
  readonly damaged: unknown;
  readonly kept: unknown;
}

export async function readRules(): Promise<StoredRules> {
  const all = await browser.storage.local.get([POLICY_KEY, ASKS_KEY, DAMAGED_KEY]);
  const found = all[POLICY_KEY];
  const parsed = StoredPolicy.safeParse(found ?? NO_CHANGES);
  return {
    stored: parsed.data ?? NO_CHANGES,
    asks: all[ASKS_KEY] !== false,
    damaged: parsed.success ? undefined : found,
    kept: all[DAMAGED_KEY],
  };
}

/**
 * Changes the rules as they are now: the worker adds one when a person chooses _Always_, maybe just now.
 * @throws ZodError for rules that cannot be stored
 */
export function changeRules(change: (stored: StoredPolicy) => StoredPolicy): Promise<void> {
  return navigator.locks.request(POLICY_LOCK, async () => {
    const { stored, damaged } = await readRules();
    const changed = StoredPolicy.parse(change(stored));
    await browser.storage.local.set({
      [POLICY_KEY]: changed,
      ...(damaged === undefined ? {} : { [DAMAGED_KEY]: damaged }),
    });
  });
}

export const setAsks = (asks: boolean): Promise<void> => browser.storage.local.set({ [ASKS_KEY]: asks });

/** Deletes the unreadable rules and their copy. */
export const dropDamaged = (isInForce: boolean): Promise<void> =>
  browser.storage.local.remove([DAMAGED_KEY, ...(isInForce ? [POLICY_KEY] : [])]);

export const onRulesChange = (listener: () => void): void =>
  browser.storage.local.onChanged.addListener(listener);
