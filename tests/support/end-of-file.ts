const ends: (() => unknown)[] = [];

/**
 * Registers a callback for the end of the test file. Unlike `afterAll`, which Vitest silently drops there, it works in
 * a hook.
 */
export const atEndOfFile = (end: () => unknown): void => void ends.push(end);

/** Last first; a failure does not skip the others. */
export async function endFile(): Promise<void> {
  const end = ends.pop();
  if (end === undefined) return;
  try {
    await end();
  } finally {
    await endFile();
  }
}

/** The same for what a test may end earlier: it ends once. */
export function endedOnce(end: () => Promise<void>): () => Promise<void> {
  let ended: Promise<void> | undefined;
  const once = (): Promise<void> => (ended ??= end());
  atEndOfFile(once);
  return once;
}
