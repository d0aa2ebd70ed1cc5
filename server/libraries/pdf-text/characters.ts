/** The characters of a text that fonts and producers write as others: radicals, and accents before their letter. */
export const restoreCharacters = (text: string): string => composeAccents(unifyRadicals(text));

/** Unicode's equivalent of each character from U+2E80 to U+2EF3; a space where it has none. */
const RADICALS = [
  ...' 厂乛乚乙亻冂𠘨刀刂卜㔾小小兀尣尢𡯂巳幺彑𫜹忄心扌攵 旡日月歺母民氵氺灬爫爫丬牛犭王𤴔目示礻𥫗糹纟罓罒㓁冗𦉫羊𦍌𦍋耂肀聿肉𦥑艹艹艹虎衤覀西见角𧢲讠贝𧾷车辶辶辶邑钅長镸长门𨸏阝雨青韦页风飞食𩙿飠饣𩠐马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟',
];

/** Producers that map glyphs back to characters, Chromium's among them, may take a radical for its character. */
const unifyRadicals = (text: string): string =>
  text.replaceAll(/[\u2e80-\u2fdf]/g, (radical) => {
    const found = RADICALS[radical.charCodeAt(0) - 0x2e80]?.trim() ?? '';
    return found === '' ? radical.normalize('NFKC') : found;
  });

/** Accents that old fonts draw before their letter, and combining marks. */
const ACCENTS: Readonly<Record<string, string>> = {
  '`': '\u0300',
  '´': '\u0301',
  ˆ: '\u0302',
  '˜': '\u0303',
  '¨': '\u0308',
  '˚': '\u030a',
  ˇ: '\u030c',
  '¸': '\u0327',
};

function composeAccents(text: string): string {
  return text.replaceAll(/([`´ˆ˜¨˚ˇ¸]) ?(\p{L})/gu, (whole, accent: string, letter: string) => {
    const composed = `${letter === 'ı' ? 'i' : letter}${ACCENTS[accent] ?? ''}`.normalize('NFC');
    return [...composed].length === 1 ? composed : whole;
  });
}
