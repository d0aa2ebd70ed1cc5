import { readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { zipSync } from 'fflate';

/** Every file gets this time: the first one that a zip can hold. */
const MODIFIED = new Date(1980, 0, 1);

/**
 * Packs a built extension for a store. The same files give the same bytes.
 * @param {string} folder the built extension
 * @param {string} licence path of the licence, which the zip gets as `LICENSE`
 * @returns {Uint8Array} the zip, without source maps and without the manifest's `key`: the store signs
 *   with a key of its own and refuses another
 */
export function zipExtension(folder, licence) {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    );
  const files = new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
  files.set('LICENSE', readFileSync(licence));
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  delete manifest.key;
  files.set('manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  return zip(files);
}

/**
 * Packs the bundle of MCP (.mcpb), which starts the package of its version.
 * @param {string} root of the checkout
 * @returns {Uint8Array}
 */
export function zipBundle(root) {
  const icon = 'extension/core/public/icons/128.png';
  const paths = {
    'manifest.json': 'mcpb/manifest.json',
    'index.mjs': 'mcpb/index.mjs',
    'icon.png': icon,
    LICENSE: 'LICENSE',
  };
  return zip(new Map(Object.entries(paths).map(([name, path]) => [name, readFileSync(join(root, path))])));
}

function zip(files) {
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return zipSync(Object.fromEntries(sorted), { level: 9, mtime: MODIFIED });
}
