const FIRST_MS = 1_000;
const LAST_MS = 20_000;

/**
 * Repeats an attempt with growing deadlines until it gets far enough: how far a page gets within a second depends on
 * the machine.
 * @param attempt receives the deadline in milliseconds
 * @returns the first sufficient answer, or the last one
 */
export async function withGrowingDeadline<T>(
  attempt: (timeoutMs: number) => Promise<T>,
  isEnough: (answer: T) => boolean,
): Promise<T> {
  for (let timeoutMs = FIRST_MS; ; timeoutMs *= 4) {
    const answer = await attempt(timeoutMs);
    if (isEnough(answer) || timeoutMs * 4 > LAST_MS) return answer;
  }
}
