import { isObject, type JsonValue } from '../../../shared/json.ts';

/** Records as comma-separated values (RFC 4180) with a line of names; null where not all rows are records. */
export function toCsv(rows: readonly JsonValue[]): string | null {
  const records = rows.filter(isObject);
  if (records.length === 0 || records.length < rows.length) return null;
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const lines = [
    names.map((name) => field(name)),
    ...records.map((record) => names.map((name) => field(record[name]))),
  ];
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}

function field(value: JsonValue | undefined): string {
  const text = textOf(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A page's text that begins like a formula would be run by the table into which it is pasted. */
function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
