/* Names for the schemas of both builds of zod: pages of the extension parse with the small one. */

/** Effects of a rule. */
export const EFFECTS = ['allow', 'ask', 'deny'] as const;

export const RISKS = [
  'read',
  'navigate',
  'input',
  'submit',
  'download',
  'upload',
  'dialog',
  'evaluate',
  'capture_network',
  'crawl',
  'borrow_tab',
  'list_tabs',
  'read_history',
  'show_tab',
  'use_container',
  'carry_text',
] as const;

/**
 * Acts that concern the person's own tabs and attention. A person's rule allows them only by name: one for everything
 * on a site is about the tabs of agents.
 */
const PERSONAL: ReadonlySet<string> = new Set<(typeof RISKS)[number]>([
  'borrow_tab',
  'list_tabs',
  'read_history',
  'show_tab',
  'use_container',
]);

/** Whether a person's rule for everything on a site allows it, too: it does not say whose text may come there. */
export const isByName = (risk: string): boolean => isPersonal([risk]) || risk === 'carry_text';

/** A browser asks a person for these with their yes to `read_history`. */
export const HISTORY_PERMISSIONS = ['history', 'bookmarks'] as const;

/** It concerns what the person's browser knows, and no site. */
export const isOfBrowser = (risks: readonly string[]): boolean =>
  risks.includes('list_tabs') || risks.includes('read_history');

export const isPersonal = (risks: readonly string[]): boolean => risks.some((risk) => PERSONAL.has(risk));

const ACTING = [
  'input',
  'submit',
  'dialog',
  'capture_network',
] as const satisfies readonly (typeof RISKS)[number][];

/**
 * Typing, clicking, answering dialogs and recording requests are one question: an agent that works in a page
 * does all of them, and a click may lead to another page or to a file.
 */
export const lastingRisks = (risks: readonly (typeof RISKS)[number][]): (typeof RISKS)[number][] =>
  isActing(risks)
    ? [...new Set([...risks, ...ACTING, 'navigate' as const, 'download' as const])]
    : [...risks];

export const isActing = (risks: readonly string[]): boolean => ACTING.some((risk) => risks.includes(risk));

export const SCOPES = ['once', 'task', 'site_hour', 'always'] as const;

/** Why a decision was rejected. */
export const REFUSALS = [
  'not_the_window',
  'malformed',
  'no_such_question',
  'already_ended',
  'not_shown',
  'wrong_token',
  'too_early',
  'scope_not_offered',
  'not_editable',
  'not_held',
  'clients_off',
  'wrong_key',
] as const;

/** The key of a field that a call names by its label: a step may use the same words for a target. */
export const fieldKey = (name: string): string => `field ${name}`;

/** The key of the dialog that a call answers, among the elements of its card. */
export const THE_DIALOG = 'the dialog';
/** The key of the form that a call submits without naming it. */
export const THE_FORM = 'the form';

/** Where the extension keeps a person's rules, for its worker and the page that edits them. */

/** The rules, in `storage.local`. */
export const POLICY_KEY = 'policy';
export const DAMAGED_KEY = 'policy_damaged';
export const ASKS_KEY = 'asks';
/** The lock for changing them. */
export const POLICY_LOCK = 'spillway.policy';

/** A call whose arguments are longer as JSON cannot be shown to a person, so nobody can allow it. */
export const ARGUMENT_UNITS = 65_536;
