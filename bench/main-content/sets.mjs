import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/**
 * A page and what is known of its main content: the text, or strings that it must and must not hold.
 * @typedef {{ id: string, type: string, html: () => string, gold: string | null, with: string[], without: string[] }} GoldPage
 */

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const readGzip = (path) => gunzipSync(readFileSync(path)).toString('utf8');

/** scrapinghub/article-extraction-benchmark */
function readScrapinghub(folder) {
  return Object.entries(readJson(join(folder, 'ground-truth.json'))).map(([id, { articleBody }]) => ({
    id,
    html: () => readGzip(join(folder, 'html', `${id}.html.gz`)),
    gold: articleBody ?? '',
    with: [],
    without: [],
  }));
}

/** One split of Murrough-Foley/web-content-extraction-benchmark, with the types that its `evaluate.py` gives. */
function readWcxb(folder) {
  return readdirSync(join(folder, 'ground-truth')).map((name) => {
    const { ground_truth: truth, _internal: internal } = readJson(join(folder, 'ground-truth', name));
    const type = internal?.page_type?.primary ?? internal?.page_type ?? 'article';
    const id = basename(name, '.json');
    return {
      id,
      type: type === 'category' ? 'collection' : type,
      html: () => readGzip(join(folder, 'html', `${id}.html.gz`)),
      gold: truth.main_content ?? '',
      with: truth.with ?? [],
      without: truth.without ?? [],
    };
  });
}

/** The `tests` folder of adbar/trafilatura. */
function readTrafilatura(folder) {
  return Object.values(readJson(join(folder, 'evaldata.json'))).flatMap((entry) => {
    const path = ['eval', 'cache'].map((name) => join(folder, name, entry.file)).find(existsSync);
    if (path === undefined) return [];
    return {
      id: entry.file,
      html: () => decode(readFileSync(path)),
      gold: null,
      with: entry.with,
      without: entry.without,
    };
  });
}

/** ppke-nlpg/CleanPortalEval: pages of four portals; the first heading of a gold text is the title. */
function readCleanPortalEval(folder) {
  return readdirSync(join(folder, 'GoldStandard')).map((name) => ({
    id: name,
    html: () => decode(readFileSync(join(folder, 'input', name.replace(/txt$/, 'html')))),
    gold: decode(readFileSync(join(folder, 'GoldStandard', name)))
      .replace(/^\s*URL:.*$/m, '')
      .replace(/^\s*<h>[^<]*/, '')
      .replace(/<(?:h|p|l)>/g, '')
      .replace(/&#0?39;/g, "'")
      .replace(/&quot;/g, '"')
      .replace(/&amp;/g, '&'),
    with: [],
    without: [],
  }));
}

function decode(bytes) {
  const head = bytes.subarray(0, 2048).toString('latin1');
  const charset = /charset=["']?([\w-]+)/i.exec(head)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(charset.toLowerCase() === 'utf-8' ? 'windows-1252' : charset).decode(bytes);
  }
}

/**
 * Reads a set, whose layout its files tell.
 * @param {string} folder
 * @returns {GoldPage[]}
 */
export function readSet(folder) {
  return readAny(folder).map((page) => ({ type: 'article', ...page }));
}

function readAny(folder) {
  if (existsSync(join(folder, 'ground-truth.json'))) return readScrapinghub(folder);
  if (existsSync(join(folder, 'ground-truth'))) return readWcxb(folder);
  if (existsSync(join(folder, 'GoldStandard'))) return readCleanPortalEval(folder);
  if (existsSync(join(folder, 'evaldata.json'))) return readTrafilatura(folder);
  throw new Error(`${folder} has the layout of no known set.`);
}

/** Which half of a set a page is in, by its name alone: `dev` is looked at, `held` is not. */
export function halfOf(id) {
  return createHash('sha256').update(id).digest()[0] % 2 === 0 ? 'dev' : 'held';
}
