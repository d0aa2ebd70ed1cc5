/** Who is asked about a call that a browser's policy does not simply allow: people in the browser, or nobody. */
export const APPROVALS = ['panel', 'deny'] as const;
export type ApprovalsMode = (typeof APPROVALS)[number];
