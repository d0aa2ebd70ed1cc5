/** How long and how often (ms) a test looks for what will come: a busy machine may need many seconds for it. */
export const PATIENCE = { timeout: 60_000, interval: 20 } as const;
