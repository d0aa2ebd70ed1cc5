/** What is to be said: each text whose condition holds. */
export const textsOf = (...said: readonly (string | false)[]): string[] =>
  said.filter((text) => text !== false);
