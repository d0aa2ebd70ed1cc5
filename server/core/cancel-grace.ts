/** How long cancelled work may take to end by itself before its caller gets the abort reason instead. */
export const CANCEL_GRACE = { graceMs: 700 } as const;
