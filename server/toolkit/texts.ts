/** The texts whose conditions are true. */
export const textsOf = (...said: readonly (string | false)[]): string[] =>
  said.filter((text) => text !== false);
