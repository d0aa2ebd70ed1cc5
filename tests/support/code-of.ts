/** The code of what was thrown, or its text where it has none. */
export function codeIn(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown);
}

/** The code that work fails with, or `no error`. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(() => 'no error', codeIn);
}

/** The code that an action throws, or `no error`. */
export function codeThrown(action: () => unknown): string {
  try {
    action();
    return 'no error';
  } catch (thrown) {
    return codeIn(thrown);
  }
}
