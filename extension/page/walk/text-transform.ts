/** A letter that begins a word as browsers count them: hyphens, dots and quotes part words, apostrophes do not. */
const WORD_START = /(?<![\p{L}\p{N}\p{M}_]['’]?)\p{L}/gu;

/**
 * Text as `text-transform` shows it, by the rules of the text's language. Chromium's accessible names are
 * transformed as well, so all formats agree.
 *
 * @param transform a computed value of `text-transform`
 */
export function transformText(text: string, transform: string, el: Element): string {
  if (transform.includes('uppercase')) return inLanguage(el, (language) => text.toLocaleUpperCase(language));
  if (transform.includes('lowercase')) return inLanguage(el, (language) => text.toLocaleLowerCase(language));
  if (!transform.includes('capitalize')) return text;
  return inLanguage(el, (language) =>
    text.replace(WORD_START, (letter) => letter.toLocaleUpperCase(language)),
  );
}

function inLanguage(el: Element, change: (language: string | undefined) => string): string {
  const language = el.closest('[lang]')?.getAttribute('lang') ?? '';
  try {
    return change(language === '' ? undefined : language);
  } catch {
    return change(undefined); // What the page calls a language may be no language tag.
  }
}
