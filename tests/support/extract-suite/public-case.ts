import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { fieldsOf, type Fields, type GoldRecord, type SuiteCase } from './case.ts';

/**
 * How the records of a public page are read with selectors that were written by hand for that page:
 * one element a record, and for each field `selector`, `selector@attribute`, `@attribute` of the record, `+ selector` in the next
 * sibling of the record, or `selector*` for all matches.
 */
export interface Wrapper {
  readonly rows: string;
  readonly fields: Readonly<Record<string, string>>;
  /** By field: a regular expression whose first group is the value, within a longer text. */
  readonly patterns?: Readonly<Record<string, string>>;
}

/** The selector of the rows of a wrapper, and its fields, one a line: `url:url = .title@href`. One without a selector is in no record. */
export function wrapper(
  lines: string,
  patterns: Wrapper['patterns'] = {},
): Pick<PublicCase, 'fields' | 'gold'> {
  const [rows = '', ...rest] = lines.trim().split('\n');
  const parts = rest.map((line) => /^ *([^ ]+)(?: =(.*))?$/.exec(line) ?? []);
  const fields = parts.flatMap(([, name = '', path]) =>
    path === undefined ? [] : [[name.replace(/:.*/, ''), path.trim()] as const],
  );
  return {
    fields: fieldsOf(parts.map(([, name = '']) => name)),
    gold: { rows, fields: Object.fromEntries(fields), patterns },
  };
}

/** A page of a public repository. It is not part of this repository; the script takes a folder of clones. */
export interface PublicCase {
  readonly type: string;
  readonly repository: string;
  readonly licence: string;
  readonly path: string;
  /** A part of a file: of schema.org's collections of examples. */
  readonly example?: { readonly id: string; readonly part: 'PRE-MARKUP' | 'MICRODATA' | 'JSON' };
  /** Without JSON-LD and microdata, so that only what a person sees is left. */
  readonly isStripped?: boolean;
  readonly scope?: string;
  readonly fields: Fields;
  readonly required?: readonly string[];
  readonly multiple: boolean;
  readonly gold: readonly GoldRecord[] | Wrapper;
}

type Source = Pick<PublicCase, 'repository' | 'licence' | 'path'> & Partial<PublicCase>;

/** A page of the collection of snapshots, by `dev/` or `test/` and its number. */
export const snapshot = (page: string): Source => ({
  repository: 'Murrough-Foley/web-content-extraction-benchmark',
  licence: 'CC-BY-4.0',
  isStripped: true,
  path: `${page.replace('/', '/html/')}.html.gz`,
});

/** A public page. It has many records where a wrapper or more than one record says them, unless it says otherwise. */
export const publicPage = (
  type: string,
  source: Source,
  found: Pick<PublicCase, 'fields' | 'gold'>,
  more: Partial<PublicCase> = {},
): PublicCase => ({
  type,
  ...source,
  multiple: isWrapper(found.gold) || found.gold.length > 1,
  ...found,
  ...more,
});

/** The page of a case, from a folder with a clone `OWNER+NAME/repo` of each repository. */
export function loadPublicPage(
  { repository, path, example, isStripped }: PublicCase,
  folder: string,
): string {
  const clone = join(folder, repository.replace('/', '+'), 'repo');
  const bytes = execFileSync('git', ['-C', clone, 'show', `HEAD:${path}`], { maxBuffer: 1 << 28 });
  const file = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const html = example === undefined ? file : partOf(file, example);
  if (isStripped !== true) return html;
  return html
    .replace(/<script[^>]*ld\+json[^>]*>[^]*?<\/script>/gi, '')
    .replace(/\s(?:itemprop|itemscope|itemtype|typeof|property|vocab)(?:="[^"]*"|='[^']*')?/gi, '');
}

function partOf(file: string, { id, part }: NonNullable<PublicCase['example']>): string {
  const at = file.indexOf(`#${id} `);
  if (at < 0) throw new Error(`There is no example ${id}.`);
  const rest = file.slice(at);
  const found = new RegExp(`\\n${part}:\\s*\\n([^]*?)(?=\\n(?:MICRODATA|RDFA|JSON|TYPES):)`).exec(
    `${rest}\nTYPES:`,
  );
  return found?.[1] ?? '';
}

export const isWrapper = (gold: PublicCase['gold']): gold is Wrapper => 'rows' in gold;

export type LoadedCase = Omit<SuiteCase, 'gold'> & {
  readonly gold: PublicCase['gold'];
  readonly scope?: string;
};
