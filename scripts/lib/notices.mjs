import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';
import { PlainError } from './steps.mjs';

/** The file with the licences of bundled packages, in the package and in the extension. */
export const NOTICES = 'THIRD-PARTY-NOTICES.txt';

/** Licences that Spillway may bundle under. Adding one is a decision about what users have to accept. */
const ALLOWED_LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MPL-2.0',
  // pako: zlib's own licence for the code that was translated from it.
  'MIT AND Zlib',
]);

/** Data of others, in a file that is generated from it. */
export const BUNDLED_DATA = [
  {
    name: 'gitleaks',
    version: '8.30.1',
    identifier: 'MIT',
    source: 'https://github.com/gitleaks/gitleaks/blob/v8.30.1/config/gitleaks.toml',
  },
];

/** Texts for packages that are published without one, by package name. */
const EXTRA_TEXTS = join(ROOT, 'scripts/licences');

/**
 * The notices for bundled packages.
 * @param {readonly { name: string, version: string, identifier?: string, text?: string, source?: string }[]} packages
 *   as Vite's `build.license` lists them; one may be listed more than once
 * @param {(name: string) => string | null} extraText the text for a package that comes without one
 * @returns {string} one part for each package, sorted by name
 * @throws PlainError that names every package without a licence text or with a licence that is not allowed
 */
export function formatNotices(packages, extraText = readExtraText) {
  const unique = new Map(packages.map((each) => [`${each.name}@${each.version}`, each]));
  const bundled = [...unique]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, { name, version, identifier, text, source }]) => ({
      id,
      // A choice or combination comes in parentheses, which follow anyway.
      licence: identifier?.replace(/^\((.*)\)$/, '$1'),
      text: text || extraText(name),
      source: source ?? `https://www.npmjs.com/package/${name}/v/${version}`,
    }));
  const problems = bundled.flatMap(({ id, licence, text }) => [
    ...(ALLOWED_LICENCES.has(licence)
      ? []
      : [`${id} has the licence ${licence ?? '(none)'}, which is not allowed`]),
    ...(text ? [] : [`${id} comes without a licence text: add one to scripts/licences`]),
  ]);
  if (problems.length > 0)
    throw new PlainError(
      `The bundled packages do not fit scripts/lib/notices.mjs:\n  ${problems.join('\n  ')}`,
    );
  const parts = bundled.map(
    ({ id, licence, text, source }) =>
      `${id} (${licence})\n${source}\n\n${text.replaceAll('\r\n', '\n').trim()}\n`,
  );
  return [HEAD, ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}

const HEAD = `Spillway contains the following packages and data, unmodified except for bundling. Each is listed with its
licence and the address of its source. The full text of the Apache License 2.0 is in LICENSE.
`;

function readExtraText(name) {
  const path = join(EXTRA_TEXTS, `${name}.txt`);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
