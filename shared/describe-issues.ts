interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * What is wrong with a value that a Zod schema refused, for a message: `a.b: why; c: why`.
 *
 * @param root names the value itself
 */
export const describeIssues = (issues: readonly Issue[], root: string): string =>
  issues.map(({ path, message }) => `${path.map(String).join('.') || root}: ${message}`).join('; ');
