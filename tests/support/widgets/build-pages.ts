import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { fingerprint, readStamp } from '../../../scripts/lib/fingerprint.mjs';
import { CACHE, npm, ROOT } from '../../../scripts/lib/run.mjs';

/** Component libraries have a package of their own: only the deep run installs them. */
const FOLDER = 'fixtures/widgets';
const PACKAGES = join(ROOT, FOLDER, 'node_modules');
const SHARED = ['package-lock.json', 'report.js', 'shown.jsx'].map((name) => `${FOLDER}/${name}`);

/** Where the pages are: one folder a library. */
export const WIDGET_PAGES = join(CACHE, 'widgets');

export const LIBRARIES = readdirSync(join(ROOT, FOLDER, 'pages')).map((file) => file.replace(/\.jsx$/, ''));

export async function installLibraries(): Promise<void> {
  mkdirSync(WIDGET_PAGES, { recursive: true });
  const stamp = join(CACHE, 'widgets.stamp');
  const wanted = fingerprint(ROOT, [`${FOLDER}/package-lock.json`]);
  if (existsSync(PACKAGES) && readStamp(stamp) === wanted) return;
  console.log(`npm ci in ${FOLDER}, from its lock file`);
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await npm(['ci', '--prefix', join(ROOT, FOLDER), '--legacy-peer-deps', ...quiet]);
  writeFileSync(stamp, wanted);
}

export async function buildPage(library: string): Promise<void> {
  const entry = `${FOLDER}/pages/${library}.jsx`;
  const outDir = join(WIDGET_PAGES, library);
  const stamp = join(outDir, '.stamp');
  const wanted = fingerprint(ROOT, [entry, ...SHARED]);
  if (readStamp(stamp) === wanted) return;
  console.log(`Building ${entry}`);
  await build({
    configFile: false,
    root: join(ROOT, FOLDER),
    logLevel: 'error',
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
    build: {
      outDir,
      emptyOutDir: true,
      cssCodeSplit: false,
      minify: false,
      target: 'chrome125',
      rolldownOptions: {
        input: join(ROOT, entry),
        output: {
          format: 'es',
          codeSplitting: false,
          entryFileNames: 'page.js',
          assetFileNames: 'page[extname]',
        },
      },
    },
  });
  const style = existsSync(join(outDir, 'page.css')) ? '<link rel="stylesheet" href="page.css">' : '';
  writeFileSync(
    join(outDir, 'index.html'),
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${library}</title>${style}<body><div id="root"></div><script type="module" src="page.js"></script>`,
  );
  writeFileSync(stamp, wanted);
}
