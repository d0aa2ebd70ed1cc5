/** The text of a reading in parts, a JSON object per line. */
export const textOf = (lines: string): string =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => String(JSON.parse(line).text))
    .join('');

export const squash = (text: string): string => text.replace(/\s+/g, ' ').trim();
