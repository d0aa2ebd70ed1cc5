import type { JsonObject, JsonValue } from '../../../shared/json.ts';

/** What is looked for: a schema for each field, or the name of its type. */
export type Fields = Readonly<Record<string, string | JsonObject>>;

export type GoldRecord = Readonly<Record<string, JsonValue>>;

/** A page with the records that a person reads in it. A field that the page does not say is absent. */
export interface SuiteCase {
  /** What kind of page it is; one line of the table. */
  readonly type: string;
  readonly html: string;
  readonly fields: Fields;
  readonly required?: readonly string[];
  /** False asks for the one record of the page. */
  readonly multiple: boolean;
  readonly gold: readonly GoldRecord[];
}

export const URL_FIELD = { type: 'string', format: 'uri' } as const;
export const DATE_FIELD = { type: 'string', format: 'date' } as const;
export const EMAIL_FIELD = { type: 'string', format: 'email' } as const;
export const LIST_FIELD = { type: 'array', items: { type: 'string' } } as const;

const TYPES: Readonly<Record<string, string | JsonObject>> = {
  url: URL_FIELD,
  date: DATE_FIELD,
  email: EMAIL_FIELD,
  list: LIST_FIELD,
};

/** `price:number` is a number, `title` a text. */
export function fieldsOf(names: readonly string[]): Record<string, string | JsonObject> {
  const parts = names.map((name) => name.split(':'));
  return Object.fromEntries(parts.map(([name = '', type = 'string']) => [name, TYPES[type] ?? type]));
}

function valueOf(cell: string, type = 'string'): JsonValue {
  if (type === 'number' || type === 'integer') return Number(cell);
  if (type === 'boolean') return cell === 'true';
  if (type === 'list') return cell.split('; ');
  return type === 'url' && cell.startsWith('/') ? at(cell) : cell;
}

/** A table of records: its first line has the fields, see {@link fieldsOf}. An empty cell is said nowhere in the page. */
export function records(table: string): Pick<SuiteCase, 'fields' | 'gold'> {
  const lines = table.trim().split('\n');
  const [names = [], ...rows] = lines.map((line) => line.split('|').map((cell) => cell.trim()));
  const gold = rows.map((cells) =>
    Object.fromEntries(
      names.flatMap((field, index) => {
        const [name = '', type] = field.split(':');
        const cell = cells[index] ?? '';
        return cell === '' ? [] : [[name, valueOf(cell, type)]];
      }),
    ),
  );
  return { fields: fieldsOf(names), gold };
}

/** A page of ours. It has many records if more than one is expected, unless it says otherwise. */
export const own = (
  type: string,
  html: string,
  found: Pick<SuiteCase, 'fields' | 'gold'>,
  more: Partial<SuiteCase> = {},
): SuiteCase => ({ type, html, multiple: found.gold.length > 1, ...found, ...more });

/** The frame that real pages have around their content: navigation, a side column and a footer. */
export const page = (title: string, body: string): string => `<!doctype html><html lang="en-US"><head>
<title>${title}</title></head><body><header><a class="logo" href="/">Northwind</a><nav><ul>
<li><a href="/new">New in</a></li><li><a href="/sale">Sale</a></li><li><a href="/help">Help</a></li>
</ul></nav><form role="search"><input name="q" placeholder="Search"><button>Search</button></form></header>
<main>${body}</main><footer><ul><li><a href="/about">About us</a></li><li><a href="/terms">Terms</a></li>
<li><a href="/contact">Contact</a></li></ul><p>© 2024 Northwind Ltd. All prices include tax.</p></footer>
</body></html>`;

/** The address of a path of the suite's site. */
export const at = (path: string): string => `http://page.test${path}`;

/** `March 3, 2024` as `2024-03-03`. */
export const day = (text: string): string => new Date(`${text} UTC`).toISOString().slice(0, 10);
