/**
 * Who is asked about a call that a browser's policy does not simply allow: people in the browser, people at their
 * agent's client where the browser allows that, or nobody.
 */
export const APPROVALS = ['panel', 'client', 'deny'] as const;
export type ApprovalsMode = (typeof APPROVALS)[number];
