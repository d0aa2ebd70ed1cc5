import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress } from 'node:zlib';
import { z } from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';

/** One page of the documentation. */
export interface DocsPage {
  /** Path below the package, with slashes: `docs/install.md`. */
  readonly page: string;
  readonly text: string;
}

const DocsPages = z.array(z.object({ page: z.string(), text: z.string() }));

/** What the build writes next to the server: every page in one file, packed, for the package has a bound. */
export const BUNDLED_DOCS = 'docs.json.br';

/** The file of the build that holds these pages. */
export const packDocs = (pages: readonly DocsPage[]): Promise<Buffer> =>
  promisify(brotliCompress)(JSON.stringify(pages));

async function unpackDocs(packed: Buffer): Promise<readonly DocsPage[]> {
  const text = await promisify(brotliDecompress)(packed);
  return DocsPages.parse(JSON.parse(text.toString()));
}

/** Pages at the top of the package, in the order of a list. */
const TOP_PAGES = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'] as const;
const FOLDERS = ['docs', 'docs/adr'] as const;

/**
 * The documentation as it lies in a package: the pages at its top, `docs/` and the decisions. The
 * build calls it too, so that what is bundled is what the sources have.
 */
export async function readSourcePages(packageFolder: string): Promise<DocsPage[]> {
  const inFolders = await Promise.all(FOLDERS.map((folder) => listMarkdown(packageFolder, folder)));
  const top = TOP_PAGES.filter((page) => existsSync(join(packageFolder, page)));
  return Promise.all(
    [...top, ...inFolders.flat()].map(async (page) => ({
      page,
      text: await readFile(join(packageFolder, page), 'utf8'),
    })),
  );
}

async function listMarkdown(packageFolder: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(packageFolder, folder), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map(({ name }) => `${folder}/${name}`)
    .sort();
}

/**
 * The documentation that belongs to the running code: the file that the build made, next to the
 * program or above one of its chunks, or else the pages of the package that contains the sources.
 * Callers choose among these pages by name; no path is ever made of what they say.
 *
 * @throws SpillwayError `docs_missing`
 */
export async function readDocs(from: string = import.meta.dirname): Promise<readonly DocsPage[]> {
  for (let at = from; ; at = dirname(at)) {
    const bundled = join(at, BUNDLED_DOCS);
    if (existsSync(bundled)) return unpackDocs(await readFile(bundled));
    if (existsSync(join(at, 'package.json'))) {
      const pages = await readSourcePages(at);
      if (pages.length > 0) return pages;
    }
    if (existsSync(join(at, 'package.json')) || dirname(at) === at)
      throw new SpillwayError('docs_missing', `The documentation is missing from ${at}.`);
  }
}
