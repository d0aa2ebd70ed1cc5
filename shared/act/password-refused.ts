/** @param line names the field */
export const passwordRefused = (line: string): string =>
  `${line} takes a password, which is filled only as secret:NAME.`;
