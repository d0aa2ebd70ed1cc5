import { z } from 'zod';

/**
 * Marks a field whose name is clear enough: a list shows it without its description, which costs tokens in
 * every turn.
 */
export const OBVIOUS = 'x-obvious';

/** The description of a field that is only for people who read the reference. */
export const obvious = (description: string) => ({ description, [OBVIOUS]: true });

/** `b1`. */
const BROWSER_ID_PATTERN = /^b[1-9]\d{0,5}$/;
/** `b1:42` (browser 1, its tab 42), or the user's front tab on purpose. */
const TAB_PATTERN = /^(active|b[1-9]\d{0,5}:\d{1,10})$/;
/** The same, or every tab that the client opened or named. */
const TABS_PATTERN = /^(active|all|b[1-9]\d{0,5}:\d{1,10})$/;

/** A tab that the caller names. A pattern instead of a union: a list shows it in a third of the tokens. */
export const tabField = z
  .string()
  .regex(TAB_PATTERN, 'takes a tab id such as b1:42, or "active"')
  .meta(obvious('Id or active; default current'));

/** A tab, or all of the client's. */
export const tabsField = z
  .string()
  .regex(TABS_PATTERN, 'takes a tab id such as b1:42, "active" or "all"')
  .describe('Id, active or all in this session');

/** Chooses among several browsers. */
export const browserField = z
  .string()
  .regex(BROWSER_ID_PATTERN, 'takes a browser id such as b1')
  .meta(obvious('Id such as b1'));

/** `run_` and 12 characters of RFC 4648 base32. */
export const RUN_ID_PATTERN = /^run_[A-Z2-7]{12}$/;

/** A run, as a long call returned it. Any text is accepted: a malformed one is `run_not_found`. */
export const runField = z.string().max(64).meta(obvious('Run id'));

export const scrollFields = {
  scroll: z.enum(['to_end']).optional().describe('Load lazy lists first'),
  max_scrolls: z.int().min(1).max(5_000).optional().meta(obvious('Default 1000')),
};

/** The answer of a call that starts a run: its items, or the run's id while it is active. */
export const RunAnswerFields = z.looseObject({
  items: z.array(z.unknown()).optional(),
  run_id: z.string().optional(),
  status: z.string().optional(),
  progress: z.looseObject({}).optional(),
});

/** All given conditions must be met at once. */
export const WaitFor = z
  .strictObject({
    text: z.string().trim().min(1).max(1_000).optional().describe('Visible text'),
    selector: z.string().min(1).max(2_000).optional().describe('CSS selector of a visible element'),
    network_idle: z.boolean().optional().describe('No requests for 500 ms'),
    timeout_ms: z.int().min(100).max(120_000).default(10_000).describe('Time limit'),
  })
  .refine(
    ({ text, selector, network_idle: networkIdle }) =>
      text !== undefined || selector !== undefined || networkIdle === true,
    { error: 'pass text, selector or network_idle: true' },
  );
export type WaitFor = z.output<typeof WaitFor>;
