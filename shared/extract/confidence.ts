/** Below this, a field is null despite a match, with a problem that says so. */
export const LEAST_SURE = 0.45;

/** Below this, a note names the field. */
export const UNSURE = 0.6;
