import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';
import { z } from 'zod';
import { firefoxManifest, firefoxPlatform } from './scripts/lib/firefox-build.ts';
import { nodeBuilds } from './scripts/lib/node-builds.ts';
import { leanZod } from './scripts/lib/lean-zod.ts';
import { widgetNames } from './scripts/lib/widgets.mjs';
import { VERSION } from './shared/base/version.ts';

const root = import.meta.dirname;
const at = (path: string): string => resolve(root, path);

/**
 * Fails a build with an entry that is larger than its bound: bytes, with the chunks that it imports. Every page
 * that is read compiles a content script, so raise a bound only for a feature that is worth it.
 */
const bounded = (bounds: Readonly<Record<string, number>>, moreBytes = 0): Plugin => ({
  name: 'spillway:bounded',
  generateBundle(_options, bundle) {
    const sizeOf = (file: string, seen: Set<string>): number => {
      const chunk = bundle[file];
      if (chunk?.type !== 'chunk' || seen.has(file)) return 0;
      seen.add(file);
      return chunk.imports.reduce((sum, next) => sum + sizeOf(next, seen), Buffer.byteLength(chunk.code));
    };
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk' || !file.isEntry) continue;
      const sizeBytes = sizeOf(file.fileName, new Set());
      const most = (bounds[file.name] ?? 0) + moreBytes;
      if (sizeBytes > most)
        this.error(`${file.fileName} takes ${sizeBytes} bytes; vite.config.ts allows ${most}.`);
    }
  },
});

/** A browser that the extension is built for. */
interface Engine {
  readonly outDir: string;
  readonly target: string;
  readonly plugins: readonly Plugin[];
  readonly alias: Readonly<Record<string, string>>;
  /** Of every page and the worker, beyond the bounds. */
  readonly polyfillBytes: number;
  /** Completes the manifest of `extension/core/public`. */
  manifest(manifest: Record<string, unknown>): object;
}

const CHROMIUM: Engine = {
  outDir: at('dist/extension'),
  target: 'chrome125',
  plugins: [],
  alias: { 'webextension-polyfill': at('extension/platform/chromium/browser.ts') },
  polyfillBytes: 0,
  manifest: (manifest) => manifest,
};
const FIREFOX: Engine = {
  outDir: at('dist/firefox'),
  target: 'firefox153',
  plugins: [firefoxPlatform(at('extension/platform'))],
  alias: {},
  polyfillBytes: 26_000,
  manifest: firefoxManifest,
};

/** The manifest in `extension/core/public` has no version of its own. */
const manifestOf = (engine: Engine): Plugin => ({
  name: 'spillway:manifest',
  async writeBundle({ dir = engine.outDir }) {
    const path = join(dir, 'manifest.json');
    const manifest = z.looseObject({}).parse(JSON.parse(await readFile(path, 'utf8')));
    const full = { ...engine.manifest(manifest), version: VERSION };
    await writeFile(path, `${JSON.stringify(full, null, 2)}\n`);
  },
});

/** In builds of `npm run dev`, the worker reloads the extension when it finds the id of another build. */
const devReload = (build: string | undefined): readonly Plugin[] =>
  build === undefined
    ? []
    : [
        {
          name: 'spillway:dev-reload',
          transform: (code, id) =>
            id === at('extension/core/worker/worker.ts')
              ? `import { reloadWhenRebuilt } from '../dev-reload.ts';\nreloadWhenRebuilt('${build}');\n${code}`
              : null,
          generateBundle() {
            this.emitFile({ type: 'asset', fileName: 'dev-build.txt', source: build });
          },
        },
      ];

/** The Markdown parser gets the names of characters as a table: its alternative is `innerHTML`. */
const MARKDOWN = {
  alias: {
    'decode-named-character-reference': at('node_modules/decode-named-character-reference/index.js'),
  },
};

/** Loads the chunks of a part at once, in a tenth of Vite's code: these pages load no styles later, and need no `nonce`. */
const leanPreload: Plugin = {
  name: 'spillway:lean-preload',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js'
      ? `export const __vitePreload = (load, chunks = [], from) => {
  for (const chunk of chunks)
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href: new URL(chunk, from).href }));
  return load();
};`
      : null,
};

/** Worker and extension pages: ES modules that share chunks. */
const extension = (engine: Engine): UserConfig => ({
  root: at('extension'),
  plugins: [
    ...engine.plugins,
    manifestOf(engine),
    leanZod,
    leanPreload,
    bounded(
      {
        worker: 612_000,
        popup: 33_500,
        welcome: 27_500,
        approve: 77_800,
        panel: 136_300,
        rules: 107_700,
        offscreen: 72_400,
      },
      engine.polyfillBytes,
    ),
    ...devReload(process.env['SPILLWAY_DEV_BUILD']),
  ],
  base: './',
  resolve: { alias: { ...MARKDOWN.alias, ...engine.alias } },
  publicDir: at('extension/core/public'),
  build: {
    outDir: engine.outDir,
    emptyOutDir: false,
    target: engine.target,
    minify: true,
    // The approval page is painted sooner if its HTML names its imports.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        worker: at('extension/core/worker/worker.ts'),
        popup: at('extension/install/popup/popup.html'),
        welcome: at('extension/install/welcome/welcome.html'),
        approve: at('extension/people/approve/approve.html'),
        panel: at('extension/ui/frame/panel.html'),
        rules: at('extension/people/rules/rules.html'),
        offscreen: at('extension/core/offscreen/offscreen.html'),
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        assetFileNames: 'assets/[name][extname]',
      },
    },
  },
});

/**
 * A content script is one self-contained classic script, so each is a build of its own. So is the parser's frame: a
 * sandboxed page has no origin to load modules with. So is the script that runs before the first paint.
 */
const contentScript = (name: string, entry: string, mostBytes: number): UserConfig => ({
  root: at('extension'),
  plugins: [bounded({ [name]: mostBytes })],
  resolve: { alias: { ...CHROMIUM.alias, 'axe-core': at('node_modules/axe-core/axe.min.js') } },
  publicDir: false,
  build: {
    outDir: CHROMIUM.outDir,
    emptyOutDir: false,
    target: CHROMIUM.target,
    minify: true,
    rolldownOptions: {
      input: { [name]: at(entry) },
      output: { format: 'iife', entryFileNames: '[name].js', codeSplitting: false },
    },
  },
});

/** All widgets have the same page, filled by the `main.tsx` of each. */
const widgetPage = (page: string): Plugin => ({
  name: 'spillway:widget-page',
  enforce: 'pre',
  resolveId: (source) => (source === page ? page : null),
  load: (id) => (id === page ? readFile(at('extension/widgets/common/widget.html'), 'utf8') : null),
});

/** A host renders one HTML file that loads nothing else. */
const widget = (name: string): UserConfig => ({
  root: at(`extension/widgets/${name}`),
  publicDir: false,
  resolve: MARKDOWN,
  plugins: [widgetPage(at(`extension/widgets/${name}/${name}.html`)), viteSingleFile()],
  build: {
    outDir: at('dist/widgets'),
    emptyOutDir: false,
    target: 'es2023',
    minify: true,
    modulePreload: false,
    rolldownOptions: { input: { [name]: at(`extension/widgets/${name}/${name}.html`) } },
  },
});

const builds: Record<string, UserConfig> = {
  extension: extension(CHROMIUM),
  firefox: extension(FIREFOX),
  content: contentScript('page', 'extension/core/page/content.ts', 371_400),
  person: contentScript('person', 'extension/point/page/content.ts', 13_700),
  guard: contentScript('guard', 'extension/act/page/input-guard.ts', 1_600),
  readability: contentScript('readability', 'extension/read/page/main-content/content.ts', 81_400),
  extract: contentScript('extract', 'extension/extract/page/content.ts', 188_500),
  audit: contentScript('audit', 'extension/audit/page/content.ts', 741_500),
  parser: contentScript('parser', 'extension/core/offscreen/parser.ts', 390_500),
  theme: contentScript('theme', 'extension/ui/theme/first-paint.ts', 1_000),
  ...Object.fromEntries(widgetNames(root).map((name) => [`widget-${name}`, widget(name)])),
  ...nodeBuilds,
};

/**
 * `vite build --mode extension | firefox | content | guard | person | readability | extract | audit | parser | theme | widget-<name> | server | host | pdf | program`;
 * `npm run build` runs all.
 */
export default defineConfig(({ mode }) => {
  const build = builds[mode];
  if (build === undefined)
    throw new Error(`Unknown build "${mode}": one of ${Object.keys(builds).join(', ')}`);
  // The bundled packages, for the third-party notices.
  const license = { fileName: `licenses-${mode}.json` };
  return { ...build, build: { ...build.build, license }, logLevel: 'warn', configFile: false };
});
