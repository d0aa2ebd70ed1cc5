/* Where the extension keeps a person's rules, for its worker and the page that edits them. */

/** The rules, in `storage.local`. */
export const POLICY_KEY = 'policy';
/** What could not be read of them. */
export const DAMAGED_KEY = 'policy_damaged';
/** Whether the person wants to be asked about acts. */
export const ASKS_KEY = 'asks';
/** The lock of who changes them. */
export const POLICY_LOCK = 'spillway.policy';
