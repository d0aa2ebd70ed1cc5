import { isObject, type JsonObject, type JsonValue } from './json.ts';

/** Records as comma-separated values (RFC 4180) with a line of names; null unless all rows are records. */
export function toCsv(rows: readonly JsonValue[]): string | null {
  const records = rows.filter(isObject);
  if (records.length === 0 || records.length < rows.length) return null;
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  return [csvLine(names), ...records.map((record) => recordLine(record, names))].join('');
}

/** The values of a record as a line. */
export const recordLine = (record: JsonObject, names: readonly string[], separator?: ',' | '\t'): string =>
  csvLine(
    names.map((name) => record[name]),
    separator,
  );

/** Values as a line, which ends in a line break. */
export function csvLine(values: readonly (JsonValue | undefined)[], separator: ',' | '\t' = ','): string {
  const fields = values.map((value) => {
    const text = formatCell(value);
    return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${fields.join(separator)}\r\n`;
}

/** A spreadsheet would run page text that begins like a formula. */
function formatCell(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
