/** How long a person has to answer a question. */
export const QUESTION_MS = 10 * 60_000;
/** How long an outcome is kept for a server that comes back for it, and a yes for the call that it is about. */
export const KEPT_MS = 10 * 60_000;
/** How long `site_hour` is good. */
export const HOUR_MS = 60 * 60_000;
/** How long the questions and grants of a server are kept that is not connected: a worker that restarts is faster. */
export const ABSENT_MS = 60_000;

/** A window that was closed does not open again for the same kind of question sooner than this. */
export const DISMISSED_MS = 30_000;

/** Open questions of one agent: more are refused. */
export const MOST_QUESTIONS = 2_000;
/** Kinds of questions of one agent, and of all. */
export const MOST_CARDS = 20;
export const MOST_CARDS_OF_ALL = 50;
/** Questions of a card whose arguments are kept; `storage.session` holds 10 MB. */
export const MOST_ARGUMENTS = 4;
/** Arguments that are larger are not shown. */
export const ARGUMENT_UNITS = 32_768;
/** Outcomes and refusals that are remembered; the oldest are forgotten. */
export const MOST_ENDED = 3_000;
export const MOST_REFUSED = 100;
export const MOST_GRANTS = 500;
/** Reports to the ledger that wait for a server: as many as one no can decide, and some. */
export const MOST_REPORTS_KEPT = 2_500;
