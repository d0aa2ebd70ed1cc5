import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT } from '../run.mjs';

/** Statements, calls, types and references that import something. Text that only looks like one is harmless. */
const IMPORTS =
  /^\s*(?:import\b|export\s+(?:type\s+)?[*{])[\s\S]*?['"][^'"\n]+['"]|\b(?:import|require(?:\.resolve)?)\s*\(\s*[^)]*\)|\/\/\/\s*<reference[^>]*>/gm;
/** The path of a file in one of them. */
const RELATIVE = /\b(?:from|import|require)\s*\(?\s*['"`](\.{1,2}\/[^'"`\n]+)['"`]/g;
const SCRIPT = /\.(?:[cm]?[jt]sx?|vue)$/;

/** The files of the checkout that git does not ignore, as they are now: contents, and who imports whom. */
export class Tree {
  /** Path → SHA-256 of the content. */
  hashes = new Map();
  #texts = new Map();

  constructor(root = ROOT) {
    const git = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const listed = execFileSync('git', git, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
    for (const path of [...new Set(listed.split('\0'))].sort()) {
      const bytes = readIfThere(join(root, path));
      if (bytes === null) continue;
      this.hashes.set(path, createHash('sha256').update(bytes).digest('hex'));
      if (SCRIPT.test(path)) this.#texts.set(path, bytes.toString('utf8'));
    }
  }

  paths(wanted = /(?:)/) {
    return [...this.hashes.keys()].filter((path) => wanted.test(path));
  }

  scripts(wanted) {
    return this.paths(wanted).filter((path) => SCRIPT.test(path));
  }

  /** One hash for these paths and their contents. */
  hashOf(paths) {
    const hash = createHash('sha256');
    for (const path of [...paths].sort()) hash.update(`${path}\0${this.hashes.get(path) ?? ''}\0`);
    return hash.digest('hex');
  }

  /** A file's imports, as written. */
  importsOf(path) {
    return this.#texts.get(path)?.match(IMPORTS) ?? [];
  }

  /** The imported files of a file in the checkout, existing or not. */
  importedBy(path) {
    const found = this.#texts.get(path)?.matchAll(RELATIVE) ?? [];
    return [...found].map(([, relative]) => posix.join(posix.dirname(path), relative));
  }

  /** These files and all their direct and indirect imports. */
  withImported(paths) {
    return reach(paths, (path) => this.importedBy(path));
  }

  /** These files and all their direct and indirect importers. */
  withImporters(paths) {
    const importers = new Map();
    for (const path of this.#texts.keys())
      for (const target of this.importedBy(path))
        importers.set(target, [...(importers.get(target) ?? []), path]);
    return reach(paths, (path) => importers.get(path) ?? []);
  }
}

function reach(paths, next) {
  const seen = new Set(paths);
  const waiting = [...seen];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop())
    for (const each of next(path)) {
      if (seen.has(each)) continue;
      seen.add(each);
      waiting.push(each);
    }
  return [...seen];
}

/** A file that git lists may be gone, and may be a link to a folder. */
function readIfThere(path) {
  try {
    return readFileSync(path);
  } catch (error) {
    if (['ENOENT', 'EISDIR'].includes(error.code)) return null;
    throw error;
  }
}
