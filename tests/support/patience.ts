/** How long and how often (ms) a test polls: a busy machine may need many seconds. */
export const PATIENCE = { timeout: 60_000, interval: 20 } as const;
