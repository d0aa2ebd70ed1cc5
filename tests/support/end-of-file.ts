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
