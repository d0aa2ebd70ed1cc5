import { BoundedMap } from '../../shared/base/maps.ts';

/** A text without what an agent may change and people do not see: case, white space, punctuation, accents, look-alikes. */
export interface Folded {
  /** UTF-16 code units of letters and digits; an ideograph counts twice, as it says more than a letter. */
  readonly units: Uint16Array;
  readonly length: number;
  /** Where each unit is in the text. */
  readonly at: Uint32Array;
  /** How many units there are before each place in the text. */
  readonly before: Uint32Array;
  /** The sum of all units before each, in two polynomials of `prints.ts`. */
  readonly sums: Int32Array;
  readonly otherSums: Int32Array;
}

/** Letters of other alphabets that look like Latin ones, each pair as two characters. */
const ALIKE = new Map(
  (
    'аaеeоoрpсcуyхxіiјjѕsԁdһhԛqԝwкkмmтtвbнhзzгrпn' +
    'αaβbγyεeηnιiκkνvοoρpτtυuχxωwζzμu' +
    'ꭰdꭱrꭲtꭵiꮪsꮃlꮯcꮲpꭺgꭼeꮮlꮓz' +
    'ıiɑaɡgɩiʀrʏyℓlᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpꜱsᴛtᴜuᴠvᴡwᴢz'
  )
    .match(/../gsu)
    ?.map((pair): [string, string] => [[...pair][0] ?? '', [...pair][1] ?? '']) ?? [],
);
// Regional indicators, and letters in black circles and squares.
for (const first of [0x1_f1_e6, 0x1_f1_50, 0x1_f1_70])
  for (let at = 0; at < 26; at += 1)
    ALIKE.set(String.fromCodePoint(first + at), String.fromCodePoint(0x61 + at));

const LEFT_OUT = /[^\p{L}\p{N}]|\p{Default_Ignorable_Code_Point}/gu;
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** A text with the digits of all scripts as those of ASCII. */
export const asDigits = (text: string): string =>
  text.replaceAll(/[^\P{Nd}0-9]/gu, (digit) => {
    const point = digit.codePointAt(0) ?? 0;
    let zero = point;
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String((point - zero) % 10);
  });

const SEVERAL = 0xff_fe;
/** The folded form of each code unit; 0 for nothing. Filled as texts need it, but for halves of characters. */
const table = new Uint16Array(0x1_00_00).fill(SEVERAL);
/** That of characters with another number of code units, the ones met last. */
const points = new BoundedMap<string, string>(1 << 16);

function foldPoint(point: string): string {
  const plain = asDigits(point.normalize('NFKC')).toUpperCase().toLowerCase().normalize('NFD');
  const folded = [...plain]
    .map((one) => ALIKE.get(one) ?? one)
    .join('')
    .replaceAll(LEFT_OUT, '');
  return IDEOGRAPH.test(folded) ? folded + folded : folded;
}

/** The folded form of what is at a place, apart from single letters and digits. */
function foldAt(text: string, index: number): string {
  const unit = text.charCodeAt(index);
  const isHalf = unit >= 0xd8_00 && unit < 0xdc_00;
  const point = isHalf ? String.fromCodePoint(text.codePointAt(index) ?? 0) : text.charAt(index);
  const known = points.get(point);
  if (known !== undefined) return known;
  const folded = foldPoint(point);
  points.set(point, folded);
  // Half of a character has no form.
  if (!isHalf) table[unit] = folded.length > 1 ? SEVERAL : folded.charCodeAt(0) || 0;
  return folded;
}

/** Shorter texts share one room. */
const SHARED = 0x2_00_00;
type Room = Omit<Folded, 'length'>;
const roomFor = (count: number): Room => ({
  units: new Uint16Array(count),
  at: new Uint32Array(count),
  before: new Uint32Array(count + 1),
  sums: new Int32Array(count + 1),
  otherSums: new Int32Array(count + 1),
});
let shared: Room | null = null;

function larger({ units, at, before }: Room): Room {
  const room = roomFor(units.length * 2);
  room.units.set(units);
  room.at.set(at);
  room.before.set(before);
  return room;
}

/** Folds a text. The next one may take its room. */
export function fold(text: string): Folded {
  const count = text.length;
  let room = count < SHARED ? (shared ??= roomFor(SHARED)) : roomFor(count + 64);
  let { units, at, before } = room;
  // Many times faster than to ask the text for each.
  const bytes = Buffer.from(text, 'utf16le');
  const codes = new Uint16Array(bytes.buffer, bytes.byteOffset, count);
  let length = 0;
  for (let index = 0; index < count; index += 1) {
    before[index] = length;
    const unit = codes[index] ?? 0;
    const folded = table[unit] ?? 0;
    if (folded < SEVERAL) {
      // Without a branch: whether it counts is hard to foresee.
      units[length] = folded;
      at[length] = index;
      length += folded === 0 ? 0 : 1;
    } else {
      const several = foldAt(text, index);
      if (length + several.length + count - index > units.length)
        ({ units, at, before } = room = larger(room));
      for (let each = 0; each < several.length; each += 1) {
        units[length] = several.charCodeAt(each);
        at[length++] = index;
      }
    }
  }
  before[count] = length;
  return { ...room, length };
}
