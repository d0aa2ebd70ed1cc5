import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { zipBundle, zipExtension } from './lib/extension-zip.mjs';
import { ROOT, npm } from './lib/run.mjs';
import { paint, runMain } from './lib/steps.mjs';
import { setUp } from './setup.mjs';

/** Never committed. */
const FOLDER = join(ROOT, 'release');

/** `npm run package`: builds, and writes what a release consists of: the npm tarball, the extension's zips and the bundle of MCP. */
await runMain(async () => {
  await setUp({ browser: false });
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  await npm(['pack', '--ignore-scripts', '--pack-destination', FOLDER]);
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const zips = ['extension', 'firefox'].map((folder) => {
    const zip = join(FOLDER, `${name}-${folder}-${version}.zip`);
    writeFileSync(zip, zipExtension(join(ROOT, 'dist', folder), join(ROOT, 'LICENSE')));
    return zip;
  });
  const bundle = join(FOLDER, `${name}-${version}.mcpb`);
  writeFileSync(bundle, zipBundle(ROOT));

  console.log(paint('bold', '\nPackages'));
  for (const path of [join(FOLDER, `${name}-${version}.tgz`), ...zips, bundle])
    console.log(`  ${relative(ROOT, path).padEnd(44)}${Math.ceil(statSync(path).size / 1_000)} kB`);
  console.log(`\n${missingParts()}`);
});

function missingParts() {
  const page = readFileSync(join(ROOT, 'docs/store-listing.md'), 'utf8');
  const [, section = ''] = page.split('## What is still missing\n');
  const text = section.split('\n## ')[0].replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');
  return `The store listing still needs (docs/store-listing.md):\n${text.trim()}`;
}
