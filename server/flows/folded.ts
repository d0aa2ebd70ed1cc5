import { BoundedMap } from '../../shared/bounded-map.ts';

/** A text without what an agent may change and people do not see: case, white space, punctuation, accents, look-alikes. */
export interface Folded {
  /** UTF-16 code units of letters and digits; an ideograph counts twice, as it says more than a letter. */
  readonly units: Uint16Array;
  readonly length: number;
  /** Where each unit is in the text. */
  readonly at: Uint32Array;
}

/** Letters of other alphabets that look like Latin ones, each pair as two characters. */
const ALIKE = new Map(
  (
    'аaеeоoрpсcуyхxіiјjѕsԁdһhԛqԝwкkмmтtвbнhзzгrпn' +
    'αaβbγyεeηnιiκkνvοoρpτtυuχxωwζzμu' +
    'ꭰdꭱrꭲtꭵiꮪsꮃlꮯcꮲpꭺgꭼeꮮlꮓz' +
    'ıiɑaɡgɩiʀrʏyℓlſs'
  )
    .match(/../gsu)
    ?.map((pair): [string, string] => [[...pair][0] ?? '', [...pair][1] ?? '']) ?? [],
);

const LEFT_OUT = /[^\p{L}\p{N}]|\p{Default_Ignorable_Code_Point}/gu;
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

const UNKNOWN = 0xff_ff;
const SEVERAL = 0xff_fe;
/** The folded form of each code unit; 0 for nothing. Filled as texts need it. */
const table = new Uint16Array(0x1_00_00).fill(UNKNOWN);
const several = new Map<number, string>();
/** The same for characters of two code units, the ones met last. */
const astral = new BoundedMap<string, string>(4_096);

function foldPoint(point: string): string {
  const plain = point.normalize('NFKC').toLowerCase().normalize('NFD').replaceAll(LEFT_OUT, '');
  const folded = [...plain].map((one) => ALIKE.get(one) ?? one).join('');
  return IDEOGRAPH.test(folded) ? folded + folded : folded;
}

function learn(unit: number): number {
  const isHalf = unit >= 0xd8_00 && unit <= 0xdf_ff;
  const folded = isHalf ? '' : foldPoint(String.fromCharCode(unit));
  if (folded.length > 1) several.set(unit, folded);
  return (table[unit] = folded.length > 1 ? SEVERAL : folded.charCodeAt(0) || 0);
}

/** Folds `text` from `start` to `end`. */
export function fold(text: string, start = 0, end = text.length): Folded {
  let units = new Uint16Array(end - start + 64);
  let at = new Uint32Array(units.length);
  let length = 0;
  const put = (unit: number, place: number): void => {
    if (length === units.length) {
      const [more, places] = [new Uint16Array(length * 2), new Uint32Array(length * 2)];
      more.set(units);
      places.set(at);
      [units, at] = [more, places];
    }
    units[length] = unit;
    at[length++] = place;
  };
  for (let index = start; index < end; index += 1) {
    const unit = text.charCodeAt(index);
    let folded = table[unit] ?? 0;
    if (folded === UNKNOWN) folded = learn(unit);
    if (folded === 0) {
      if (unit < 0xd8_00 || unit > 0xdb_ff) continue;
      const point = String.fromCodePoint(text.codePointAt(index) ?? 0);
      let plain = astral.get(point);
      if (plain === undefined) astral.set(point, (plain = foldPoint(point)));
      for (const one of plain) put(one.charCodeAt(0), index);
      index += point.length - 1;
    } else if (folded === SEVERAL) {
      for (const one of several.get(unit) ?? '') put(one.charCodeAt(0), index);
    } else put(folded, index);
  }
  return { units, length, at };
}

/** A short text, folded; null for one with more than `max` folded characters. */
export function foldedWithin(text: string, max: number): string | null {
  let folded = '';
  for (let index = 0; index < text.length && folded.length <= max; index += 1) {
    const unit = text.charCodeAt(index);
    let one = table[unit] ?? 0;
    if (one === UNKNOWN) one = learn(unit);
    if (one === SEVERAL) folded += several.get(unit) ?? '';
    else if (one !== 0) folded += String.fromCharCode(one);
  }
  return folded.length > max ? null : folded;
}
