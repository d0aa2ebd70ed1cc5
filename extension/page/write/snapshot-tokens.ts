/*
 * Upper estimates of o200k tokens. The real vocabulary is megabytes; a walk that stops at its budget needs
 * no more than to be sure that it stays below it.
 */

/** Splits as o200k does: no token crosses the end of one of these. */
const PARTS =
  /([^\r\n\p{L}\p{N}])?((?:\p{Lu}|\p{Lt})*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[\p{Lu}\p{Lt}]+)|\p{N}{1,3}| ?([!-/:-@[-`{-~]+)[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s|[^\s\p{L}\p{N}]/gu;

/**
 * What each pair of letters adds to a word that begins with one token, in tenths: a row for each first letter
 * (any other than a to z, then a to z), fitted to the words of program documentation and to the names of
 * countries, languages and currencies in 38 languages of Latin script.
 */
const PAIRS =
  '656257739552573568438574477670103305242101507010211002925331109216010211110298900' +
  '816060061270051042040034709923630519195048251104324106925003236665221510002510037' +
  '815530229049042025110216011943440610399300451113499111620560032285410030114279401' +
  '943113109943101014320429060641693423503105430909260814854711406565960641327484654' +
  '831520334171178202823305608823520909170002201838264612938022103472151449900207834' +
  '921008003112210019021010034910200203375014011011243411472219111811014611901091211' +
  '926310029270303128511534706849301072296321315400264207923320580177123121001170309' +
  '941020119367000509100473503831590101051576301745391173929960350016471011123810158' +
  '930092819461840801171611005961692699389434226524690146735932413564915541884378113';
const LETTERS = 27;

/** Tenths of a token for each character of other scripts: up to which code, and how many. */
const SCRIPTS: readonly (readonly [end: number, tenths: number])[] = [
  [0x03_70, 7],
  [0x04_00, 6],
  [0x05_30, 4],
  [0x05_90, 6],
  [0x06_00, 6],
  [0x07_00, 5],
  [0x09_00, 20],
  [0x0a_00, 6],
  [0x0a_80, 9],
  [0x0b_00, 7],
  [0x0b_80, 13],
  [0x0d_80, 7],
  [0x0e_00, 9],
  [0x0e_80, 7],
  [0x10_00, 23],
  [0x10_a0, 10],
  [0x11_00, 7],
  [0x12_00, 20],
  [0x17_80, 25],
  [0x18_00, 10],
  [0x1e_00, 30],
  [0x1f_00, 9],
  [0x20_00, 20],
  [0x30_40, 20],
  [0x31_00, 10],
  [0x4e_00, 25],
  [0xa0_00, 14],
  [0xac_00, 30],
  [0xd8_00, 13],
  [0x1_00_00, 25],
];
const RARE_TENTHS = 40;
/** A sign outside of ASCII, or a character of an icon font. */
const SIGN_TENTHS = 25;
/** Joins emoji, or makes one of a sign. */
const JOINERS = new Set([0x20_0d, 0xfe_0f]);
const PICTURE_TENTHS = 30;
/** A word inside of what has no blanks is often no word. */
const INSIDE_TENTHS = 2;
/** Signs next to each other often share a token. */
const SECOND_SIGN_TENTHS = 6;
const MARGIN = 1.03;
const BLANKS_A_TOKEN = 12;

const indexOf = (unit: number): number => {
  const lower = unit | 32;
  return lower >= 97 && lower <= 122 && unit < 128 ? lower - 96 : 0;
};

function tenthsOfScript(code: number): number {
  for (const [end, tenths] of SCRIPTS) if (code < end) return tenths;
  return RARE_TENTHS;
}

function tenthsOfWord(word: string): number {
  if (word.charCodeAt(0) >= 0x2_50) {
    let sum = 3;
    for (const char of word) sum += tenthsOfScript(char.codePointAt(0) ?? 0);
    return Math.max(10, sum);
  }
  let sum = 10;
  let before = indexOf(word.charCodeAt(0));
  for (let i = 1; i < word.length; i += 1) {
    const unit = word.charCodeAt(i);
    const here = indexOf(unit);
    sum += PAIRS.charCodeAt(before * LETTERS + here) - 48;
    if (unit >= 0x3_00) sum += tenthsOfScript(unit);
    before = here;
  }
  return sum;
}

function tenthsOfPart([part, lead, word, signs]: readonly (string | undefined)[]): number {
  if (word !== undefined)
    return (
      tenthsOfWord(word) +
      (lead === ' ' ? 0 : INSIDE_TENTHS) +
      (lead === undefined || lead === ' ' ? 0 : tenthsOfSign(lead))
    );
  if (signs !== undefined) return 10 + SECOND_SIGN_TENTHS * (signs.length - 1);
  if (part === undefined) return 0;
  if (/^\s/.test(part))
    return 10 + Math.ceil(((part.length - 1) * 10) / BLANKS_A_TOKEN) + (part.length > 2 ? 5 : 0);
  return part.charCodeAt(0) < 128 ? 10 : tenthsOfSign(part);
}

function tenthsOfSign(sign: string): number {
  const code = sign.codePointAt(0) ?? 0;
  if (code < 128) return 10;
  if (code < 0x1_00 || JOINERS.has(code)) return 15;
  if (code < 0x1_00_00) return SIGN_TENTHS;
  return code < 0x1_fa_00 && code >= 0x1_f0_00 ? PICTURE_TENTHS : RARE_TENTHS;
}

/** How many tokens a text takes at most, as far as that is known without the vocabulary. Not a whole number. */
export function estimateTokens(text: string): number {
  let tenths = 0;
  for (const match of text.matchAll(PARTS)) tenths += tenthsOfPart(match);
  return (tenths * MARGIN) / 10;
}
