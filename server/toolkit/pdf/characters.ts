/** The characters of a text that fonts and producers write as others: radicals, and accents before their letter. */
export const restoreCharacters = (text: string): string => composeAccents(unifyRadicals(text));

/** The characters that look like U+2E80 to U+2EF3, as Unicode's equivalences have them; a space is none. */
const RADICALS =
  ' 厂乛乚乙亻冂几刀刂卜㔾小小尢尣尢尢巳幺彑彐忄㣺扌攵 旡日月歺母民氵氺灬爫爫丬牛犭王疋目示礻竹糹纟罓罒㓁网网羊羊羊耂肀聿月臼艹艹艹虎衤覀西见角角讠贝足车辶辶辶阝钅長镸长门阜阝雨青韦页风飞食食飠饣首马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟';

/** Producers that map glyphs back to characters, Chromium's among them, may take a radical for its character. */
const unifyRadicals = (text: string): string =>
  text.replaceAll(/[\u2e80-\u2fdf]/g, (radical) => {
    const found = RADICALS.charAt(radical.charCodeAt(0) - 0x2e80).trim();
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
