import type { ScanWindow, Span } from './span.ts';
import { startsWord } from './tokens.ts';

/* Account numbers with a checksum, and numbers of persons next to a word that says what they are. */

/** Length of an IBAN by country (ISO 13616). */
const IBAN_UNITS: Readonly<Record<string, number>> = Object.fromEntries(
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20'
    .split(' ')
    .map((entry): [string, number] => [entry.slice(0, 2), Number(entry.slice(2))]),
);
const IBAN = /[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?/g;
const SHORTEST_UNITS = 15;

/** ISO 7064, MOD 97-10. */
function passesMod97(iban: string): boolean {
  let rest = 0;
  for (const char of iban.slice(4) + iban.slice(0, 4)) {
    const value = parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** The units of the text that are the IBAN: a word may follow it. */
function ibanUnits(text: string): number | null {
  const wanted = IBAN_UNITS[text.slice(0, 2)];
  if (wanted === undefined) return null;
  let units = 0;
  let found = '';
  while (units < text.length && found.length < wanted) {
    if (text.charAt(units) !== ' ') found += text.charAt(units);
    units += 1;
  }
  return found.length === wanted && passesMod97(found) ? units : null;
}

function findIbans({ text, from }: ScanWindow, spans: Span[]): void {
  IBAN.lastIndex = from;
  for (let hit = IBAN.exec(text); hit !== null; hit = IBAN.exec(text)) {
    const units = hit[0].length < SHORTEST_UNITS || !startsWord(text, hit.index) ? null : ibanUnits(hit[0]);
    const end = hit.index + (units ?? 0);
    if (units === null || /[A-Za-z0-9]/.test(text.charAt(end))) continue;
    spans.push({ start: hit.index, end, kind: 'iban' });
  }
}

/** Areas 000, 666 and 9xx, group 00 and serial 0000 were never issued. */
const SSN = /\d{3}(?<gap>[- ])\d{2}\k<gap>\d{4}(?![\w-]|\.\d)/g;
const NEVER_ISSUED = /^(?:000|666|9)|^....00|0000$/;
const SSN_WORD = /\bssns?\b|social[ _-]?sec(?:urity|\.)?|\bsoc\.? sec\b|taxpayer/i;
const SSN_UNITS = 64;

/** The line up to a place: how much more there is depends on where the stream was cut. */
function lineBefore(text: string, end: number): string {
  const before = text.slice(Math.max(0, end - SSN_UNITS), end);
  return before.slice(before.lastIndexOf('\n') + 1);
}

function findSsns({ text, from }: ScanWindow, spans: Span[]): void {
  SSN.lastIndex = from;
  for (let hit = SSN.exec(text); hit !== null; hit = SSN.exec(text))
    if (
      !NEVER_ISSUED.test(hit[0]) &&
      !/[\w.-]/.test(text.charAt(hit.index - 1)) &&
      SSN_WORD.test(lineBefore(text, hit.index))
    )
      spans.push({ start: hit.index, end: hit.index + hit[0].length, kind: 'ssn' });
}

/** Numbers of bank accounts and of US social security. */
export function findNumbers(window: ScanWindow, spans: Span[]): void {
  findIbans(window, spans);
  findSsns(window, spans);
}
