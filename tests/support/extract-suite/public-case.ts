import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  askedOf,
  fieldsOf,
  FOLDER,
  readSaid,
  type Fields,
  type GoldRecord,
  type SuiteCase,
  loadPages,
} from './case.ts';

/**
 * Reads the records of a public page with selectors written by hand for that page: one element per record, and for each
 * field `selector`, `selector@attribute`, `@attribute` of the record, `+ selector` in the next sibling of the record,
 * or `selector*` for all matches.
 */
export interface Wrapper {
  readonly rows: string;
  readonly fields: Readonly<Record<string, string>>;
  /** By field: a regular expression whose first group is the value within a longer text. */
  readonly patterns?: Readonly<Record<string, string>>;
}

/** A page of a public repository. It is not part of this repository; the script takes a folder of clones. */
export interface PublicCase {
  readonly type: string;
  readonly repository: string;
  readonly licence: string;
  readonly path: string;
  /** A part of a file in schema.org's collections of examples. */
  readonly example?: { readonly id: string; readonly part: string };
  /** Without JSON-LD and microdata, so that only visible content is left. */
  readonly isStripped?: boolean;
  readonly scope?: string;
  readonly fields: Fields;
  readonly required?: readonly string[];
  readonly multiple: boolean;
  readonly gold: readonly GoldRecord[] | Wrapper;
}

const SNAPSHOTS = {
  repository: 'Murrough-Foley/web-content-extraction-benchmark',
  licence: 'CC-BY-4.0',
  isStripped: true,
} as const;

/** The public pages of a file, one block of lines each. Fields of a wrapper are `url:url = .title@href`. */
function readPublic(file: string): PublicCase[] {
  return readFileSync(join(FOLDER, 'public', file), 'utf8')
    .trimEnd()
    .split('\n\n')
    .map(publicCase);
}

function publicCase(block: string): PublicCase {
  const header = readSaid(block);
  const one = (name: string): string | undefined => header.values.get(name)?.[0];
  const [type = '', ...lines] = header.rest;
  const [rows, scope, example] = [one('rows'), one('scope'), one('example')];
  const [id = '', part = ''] = example?.split(' ') ?? [];
  return {
    type: type.replace('# ', ''),
    ...sourceOf(one('from'), one('snapshot')),
    ...(one('stripped') === 'true' && { isStripped: true }),
    ...(example !== undefined && { example: { id, part } }),
    ...(scope !== undefined && { scope }),
    ...askedOf(header, rows !== undefined || header.found.gold.length > 1),
    ...(rows === undefined ? header.found : rowsOf(rows, lines, header.values.get('pattern'))),
  };
}

function sourceOf(
  from: string | undefined,
  snapshot: string | undefined,
): Pick<PublicCase, 'repository' | 'licence' | 'path'> {
  if (snapshot !== undefined) return { ...SNAPSHOTS, path: `${snapshot.replace('/', '/html/')}.html.gz` };
  const [repository = '', licence = '', path = ''] = from?.split(', ') ?? [];
  return { repository, licence, path };
}

/** Records by selector: one line per field with its selector. */
function rowsOf(
  rows: string,
  lines: readonly string[],
  patterns: readonly string[] = [],
): Pick<PublicCase, 'fields' | 'gold'> {
  const fields = lines.map((line) => /^([^ ]+)(?: =(.*))?$/.exec(line) ?? []);
  const paths = fields.flatMap(([, name = '', selector]) =>
    selector === undefined ? [] : [[name.replace(/:.*/, ''), selector.trim()]],
  );
  return {
    fields: fieldsOf(fields.map(([, name = '']) => name)),
    gold: {
      rows,
      fields: Object.fromEntries(paths),
      patterns: Object.fromEntries(patterns.map((pattern) => pattern.split(/ (.*)/s))),
    },
  };
}

/** The page of a case, from a folder with a clone `OWNER+NAME/repo` of each repository. */
function loadPublicPage({ repository, path, example, isStripped }: PublicCase, folder: string): string {
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

/** Rules may be written for pages of `dev`, and never for those of `held` and `next`. */
export const SETS = ['dev', 'held', 'next'] as const;
export type SetName = (typeof SETS)[number];

/** Our own pages, of `fixtures/extract`. */
export const loadOwn = (set: SetName): readonly LoadedCase[] => loadPages(set);

/** Pages of public repositories, from a folder of clones; see `loadPublicPage`. */
export const loadPublic = (set: SetName, folder: string): readonly LoadedCase[] =>
  readPublic(`${set}.txt`).map((one) => ({ ...one, html: loadPublicPage(one, folder) }));
