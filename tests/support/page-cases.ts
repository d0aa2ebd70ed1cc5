import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../fixtures/cases');
const EXPECTED = '.expected.html';
const HTML = '.html';

/** A page of `fixtures/cases`, and the files next to it with its name. */
export class PageCase {
  readonly html: string;

  /** @param name `area--case`: the name of its files */
  constructor(
    private readonly folder: string,
    readonly name: string,
  ) {
    this.html = this.text(HTML);
  }

  /** Its file with this ending, without the last line break. */
  text(ending: string): string {
    return readFileSync(join(this.folder, this.name + ending), 'utf8').replace(/\n$/, '');
  }

  /** Undefined if there is no such file. */
  textIfThere(ending: string): string | undefined {
    return existsSync(join(this.folder, this.name + ending)) ? this.text(ending) : undefined;
  }

  json<T>(): T {
    return JSON.parse(this.text('.json'));
  }
}

/** The cases of a folder of `fixtures/cases`, by name. */
export function pageCases(folder: string): readonly PageCase[] {
  const path = join(ROOT, folder);
  return readdirSync(path)
    .filter((file) => file.endsWith(HTML) && !file.endsWith(EXPECTED))
    .sort()
    .map((file) => new PageCase(path, file.slice(0, -HTML.length)));
}

/** Makes a test of each case of a folder. */
export function testPages(title: string, folder: string, check: (page: PageCase) => Promise<void>): void {
  test.each(pageCases(folder).map((page) => [`${title}, ${page.name}`, page] as const))(
    '%s',
    async (_title, page) => check(page),
  );
}

/** The same if one call evaluates all cases: one call per case would take longer than its work. */
export function testPagesTogether<T>(
  title: string,
  folders: readonly string[],
  find: (all: readonly PageCase[]) => Promise<readonly T[]>,
  check: (found: T, page: PageCase) => void,
): void {
  const all = folders.flatMap(pageCases);
  let finding: Promise<readonly T[]> | undefined;
  test.each(all.map((page, at) => [`${title}, ${page.name}`, at, page] as const))(
    '%s',
    async (_title, at, page) => {
      finding ??= find(all);
      const [found] = (await finding).slice(at, at + 1);
      if (found === undefined) throw new Error('Nothing was found for this case.');
      check(found, page);
    },
  );
}
