import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { JsonObject, JsonValue } from '../../../shared/base/json.ts';

/** A schema for each field, or the name of its type. */
export type Fields = Readonly<Record<string, string | JsonObject>>;

export type GoldRecord = Readonly<Record<string, JsonValue>>;

/** A page with the records that a person reads in it. A field that the page lacks is absent. */
export interface SuiteCase {
  readonly type: string;
  readonly html: string;
  readonly fields: Fields;
  readonly required?: readonly string[];
  /** False asks for the one record of the page. */
  readonly multiple: boolean;
  readonly gold: readonly GoldRecord[];
}

export const FIELD_TYPES: Fields = {
  url: { type: 'string', format: 'uri' },
  date: { type: 'string', format: 'date' },
  email: { type: 'string', format: 'email' },
  list: { type: 'array', items: { type: 'string' } },
};

export const FOLDER = resolve(import.meta.dirname, '../../../fixtures/extract');
const SITE = 'http://page.test';

/** The frame that real pages have around their content: navigation, a side column and a footer. */
const framed = (title: string, body: string): string => `<!doctype html><html lang="en-US"><head>
<title>${title}</title></head><body><header><a class="logo" href="/">Northwind</a><nav><ul>
<li><a href="/new">New in</a></li><li><a href="/sale">Sale</a></li><li><a href="/help">Help</a></li>
</ul></nav><form role="search"><input name="q" placeholder="Search"><button>Search</button></form></header>
<main>${body}</main><footer><ul><li><a href="/about">About us</a></li><li><a href="/terms">Terms</a></li>
<li><a href="/contact">Contact</a></li></ul><p>© 2024 Northwind Ltd. All prices include tax.</p></footer>
</body></html>`;

/** `price:number` is a number, `title` a text. */
export function fieldsOf(names: readonly string[], types = FIELD_TYPES): Fields {
  const parts = names.map((name) => name.split(':'));
  return Object.fromEntries(parts.map(([name = '', type = 'string']) => [name, types[type] ?? type]));
}

function valueOf(cell: string, type = 'string'): JsonValue {
  if (type === 'number' || type === 'integer') return Number(cell);
  if (type === 'boolean') return cell === 'true';
  if (type === 'list') return cell.split('; ');
  return type === 'url' && cell.startsWith('/') ? SITE + cell : cell;
}

/** The facts of a page: lines `name: value`, a table of its records, and other lines. */
export interface Said {
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly found: Pick<SuiteCase, 'fields' | 'gold'>;
  readonly rest: readonly string[];
}

/**
 * Parses it. The first row of the table has the fields, see {@link fieldsOf}; an empty cell means that the page lacks
 * the value. Records that do not fit a table are JSON, as their fields are.
 */
export function readSaid(text: string): Said {
  const values = new Map<string, string[]>();
  const table: string[][] = [];
  const rest: string[] = [];
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^(\w+): (.*)$/.exec(line) ?? [];
    if (line.startsWith('|'))
      table.push(
        line
          .slice(1)
          .split('|')
          .map((cell) => cell.trim()),
      );
    else if (name === undefined) rest.push(line);
    else values.set(name, [...(values.get(name) ?? []), value]);
  }
  const [names = [], ...rows] = table;
  const records = rows.map((cells) =>
    Object.fromEntries(
      names.flatMap((field, index) => {
        const [name = '', type] = field.split(':');
        const cell = cells[index] ?? '';
        return cell === '' ? [] : [[name, valueOf(cell, type)]];
      }),
    ),
  );
  const [fields] = values.get('fields') ?? [];
  const gold = values.get('gold')?.map((record): GoldRecord => JSON.parse(record)) ?? records;
  return {
    values,
    rest,
    found: { fields: fields === undefined ? fieldsOf(names) : JSON.parse(fields), gold },
  };
}

/** Whether many records are requested, and which fields are required. */
export function askedOf({ values }: Said, hasMany: boolean): Pick<SuiteCase, 'multiple' | 'required'> {
  const [multiple, required] = [values.get('multiple')?.[0], values.get('required')?.[0]];
  return {
    multiple: multiple === undefined ? hasMany : multiple === 'true',
    ...(required !== undefined && { required: required.split(', ') }),
  };
}

const PAGE = /^<!--\n([^]*?)\n-->\n(?:<title>(.*)<\/title>\n)?([^]*)\n$/;

/** Our own pages in a folder: the first comment of each has its facts. Pages with only a title get the frame. */
export function loadPages(folder: string): SuiteCase[] {
  const files = readdirSync(join(FOLDER, folder)).filter((file) => file.endsWith('.html'));
  return files.map((file) => {
    const [, text = '', title, body = ''] = PAGE.exec(readFileSync(join(FOLDER, folder, file), 'utf8')) ?? [];
    const header = readSaid(text);
    return {
      type: file.replace('.html', '').replaceAll('-', ' '),
      html: title === undefined ? body : framed(title, body),
      ...header.found,
      ...askedOf(header, header.found.gold.length > 1),
    };
  });
}
