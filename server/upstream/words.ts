/** A part of a word: quoted, a backslash with what it keeps, or plain. */
const PART =
  /"(?<double>(?:[^"\\]|\\[^])*)"|'(?<single>[^']*)'|\\(?<kept>[^])|(?<plain>[^\s"'\\]+)|(?<space>\s+)/guy;

/** The words of a command line: quotes keep spaces, a backslash keeps the next character. Null where a quote does not end. */
export function splitWords(text: string): readonly string[] | null {
  const words: string[] = [];
  let isNew = true;
  let end = 0;
  for (const { 0: all, index, groups = {} } of text.matchAll(PART)) {
    end = index + all.length;
    const { double, single, kept, plain, space } = groups;
    if (space === undefined) {
      const part = double?.replaceAll(/\\([^])/gu, '$1') ?? single ?? kept ?? plain ?? '';
      words.push((isNew ? '' : words.pop()) + part);
    }
    isNew = space !== undefined;
  }
  return end === text.length ? words : null;
}
