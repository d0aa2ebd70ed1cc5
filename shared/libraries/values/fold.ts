/** Half- and full-width and small forms, and names of eras; superscripts and units, which NFKC would change too, stay. */
const FORMS = /[\u3000\u32ff\u337b-\u337e\ufe50-\ufe6f\uff01-\uff5e\uffe0-\uffe6]/gu;
const HYPHENS = /[\u2010\u2011\u207b]/gu;
const ASCII = /^[\x20-\x7e]*$/;
const OTHER_DIGITS = /(?![0-9])\p{Nd}/gu;

/** A text with the signs and digits of a Latin keyboard: `￥１２，８００` is `¥12,800`. */
export const foldSigns = (text: string): string =>
  ASCII.test(text)
    ? text
    : text
        .replace(FORMS, (sign) => sign.normalize('NFKC'))
        .replace(HYPHENS, '-')
        .replace(OTHER_DIGITS, latinDigit);

/** Unicode has the digits of each script in a row, 0 to 9. */
function latinDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}
