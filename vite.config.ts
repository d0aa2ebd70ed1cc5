import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';
import { fingerprint } from './scripts/lib/fingerprint.mjs';
import { widgetNames } from './scripts/lib/widgets.mjs';
import { BUNDLED_CMAPS, packFolder } from './server/toolkit/bundled.ts';
import { BUNDLED_DOCS, packDocs, readSourcePages } from './server/tools/docs/library.ts';
import { VERSION } from './shared/version.ts';

const root = import.meta.dirname;
const at = (path: string): string => resolve(root, path);

/**
 * Fails a build with an entry that is larger than its bound: bytes, with the chunks that it imports. Every page
 * that is read compiles a content script, so raise a bound only for a feature that is worth it.
 */
const bounded = (bounds: Readonly<Record<string, number>>): Plugin => ({
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
      const most = bounds[file.name] ?? 0;
      if (sizeBytes > most)
        this.error(`${file.fileName} takes ${sizeBytes} bytes; vite.config.ts allows ${most}.`);
    }
  },
});

/** The manifest in `extension/public` has no version of its own. */
const manifestVersion: Plugin = {
  name: 'manifest-version',
  async writeBundle({ dir = at('dist/extension') }) {
    const path = join(dir, 'manifest.json');
    const manifest: unknown = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, `${JSON.stringify(Object.assign({}, manifest, { version: VERSION }), null, 2)}\n`);
  },
};

/** In builds of `npm run dev`, the worker reloads the extension when it finds the id of another build. */
const devReload = (build: string | undefined): readonly Plugin[] =>
  build === undefined
    ? []
    : [
        {
          name: 'spillway:dev-reload',
          transform: (code, id) =>
            id === at('extension/worker/worker.ts')
              ? `import { reloadWhenRebuilt } from '../background/dev-reload.ts';\nreloadWhenRebuilt('${build}');\n${code}`
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

/** The extension API is Chromium's own. */
const BROWSER = { 'webextension-polyfill': at('extension/background/chromium/browser.ts') };

/**
 * Parts of Zod that the extension does not use: it writes no JSON Schema, compiles none, and its messages have no
 * cycles.
 */
const UNUSED_OF_ZOD = /\/zod\/v4\/core\/(?:json-schema-processors|to-json-schema|memoizer|doc)\.js$/;

/** String methods that check a format: the extension uses functions instead, such as `z.iso.datetime()`. */
const FORMATS_OF_STRINGS =
  /^ {4}\w+\(params\) \{\n *return this\.check\(core\._\w+\(Zod\w+, params\)\);\n {4}\},$/gm;

/**
 * Zod without code that each of its schemas would pull in for these. Its objects do not compile themselves: extensions
 * may not.
 */
const leanZod: Plugin = {
  name: 'spillway:lean-zod',
  transform: (code, id) => {
    if (/\/zod\/v4\/(?:classic|mini)\/schemas\.js$/.test(id))
      return code
        .replaceAll(/^ *inst\._zod\.processJSONSchema = .*;$/gm, '')
        .replaceAll(FORMATS_OF_STRINGS, '')
        .replaceAll('$ZodObjectJIT', '$ZodObject');
    if (!UNUSED_OF_ZOD.test(id)) return null;
    const names = [...code.matchAll(/^export (?:const|function|class) ([\w$]+)/gm)];
    return names.map(([, name]) => `export const ${name} = () => undefined;`).join('\n');
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
const extension: UserConfig = {
  root: at('extension'),
  plugins: [
    manifestVersion,
    leanZod,
    leanPreload,
    bounded({
      worker: 543_500,
      popup: 28_600,
      welcome: 25_500,
      approve: 61_900,
      panel: 120_200,
      rules: 102_200,
      offscreen: 72_300,
    }),
    ...devReload(process.env['SPILLWAY_DEV_BUILD']),
  ],
  base: './',
  resolve: { alias: { ...MARKDOWN.alias, ...BROWSER } },
  publicDir: at('extension/public'),
  build: {
    outDir: at('dist/extension'),
    emptyOutDir: false,
    target: 'chrome125',
    minify: true,
    // The approval page is painted sooner if its HTML names its imports.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        worker: at('extension/worker/worker.ts'),
        popup: at('extension/popup/popup.html'),
        welcome: at('extension/welcome/welcome.html'),
        approve: at('extension/approve/approve.html'),
        panel: at('extension/panel/panel.html'),
        rules: at('extension/rules/rules.html'),
        offscreen: at('extension/offscreen/offscreen.html'),
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        assetFileNames: 'assets/[name][extname]',
      },
    },
  },
};

/**
 * A content script is one self-contained classic script, so each is a build of its own. So is the parser's frame: a
 * sandboxed page has no origin to load modules with. So is the script that runs before the first paint.
 */
const contentScript = (name: string, entry: string, mostBytes: number): UserConfig => ({
  root: at('extension'),
  plugins: [bounded({ [name]: mostBytes })],
  resolve: { alias: { ...BROWSER, 'axe-core': at('node_modules/axe-core/axe.min.js') } },
  publicDir: false,
  build: {
    outDir: at('dist/extension'),
    emptyOutDir: false,
    target: 'chrome125',
    minify: true,
    rolldownOptions: {
      input: { [name]: at(entry) },
      output: { format: 'iife', entryFileNames: '[name].js', codeSplitting: false },
    },
  },
});

/** The documentation next to the server, for the tools that search and read it. */
const bundledDocs: Plugin = {
  name: 'bundled-docs',
  async writeBundle({ dir = at('dist') }) {
    await writeFile(join(dir, BUNDLED_DOCS), await packDocs(await readSourcePages(root)));
  },
};

const KEPT_NAMES = { function: true, class: true };
const NODE_OUTPUT = {
  format: 'es',
  minify: {
    compress: { keepNames: KEPT_NAMES },
    mangle: { keepNames: KEPT_NAMES },
    codegen: { removeWhitespace: true },
  },
  entryFileNames: '[name].js',
  banner: ({ isEntry, name }: { readonly isEntry: boolean; readonly name: string }) =>
    isEntry && !name.startsWith('library/')
      ? "#!/usr/bin/env node\nimport { createRequire as spillwayRequire } from 'node:module'; const require = spillwayRequire(import.meta.url);"
      : '',
} as const;

/**
 * Everything that runs on Node, dependencies included, so that a start reads few files: the server, and the package's
 * exports, with the SDKs of agents left to the importer. Functions and classes keep their names when minified, so that
 * stacks are readable.
 */
const server: UserConfig = {
  root,
  plugins: [bundledDocs],
  publicDir: false,
  resolve: {
    alias: {
      '@modelcontextprotocol/server/_shims': at('server/adapters/mcp/era-2026/shims.ts'),
      // Its entry for Node looks for native code.
      msgpackr: at('node_modules/msgpackr/index.js'),
    },
  },
  // libsql is native code: it is loaded from node_modules, as any package's binary is.
  ssr: { noExternal: true, external: ['libsql', 'ai', '@anthropic-ai/sdk'], target: 'node' },
  build: {
    ssr: true,
    outDir: at('dist'),
    emptyOutDir: false,
    target: 'node20',
    minify: 'oxc',
    rolldownOptions: {
      input: {
        index: at('server/cli/entry.ts'),
        chromium: at('server/bridge/chromium.ts'),
        'library/spillway': at('server/library/index.ts'),
        'library/anthropic': at('server/adapters/anthropic/index.ts'),
        'library/ai-sdk': at('server/adapters/ai-sdk/index.ts'),
        'library/workflow': at('server/library/workflow.ts'),
      },
      output: {
        ...NODE_OUTPUT,
        chunkFileNames: 'chunks/[name]-[hash].js',
        // One file for code that most tools share, instead of a hundred files of a few lines each. A command to a
        // running session reads none of it, and a start reads no library but those of schemas and of MCP.
        codeSplitting: {
          groups: [
            {
              name: 'common',
              minShareCount: 4,
              test: (id) =>
                !/cli\/session\/(?:client|note)|tools\/names\.generated|toolkit\/(?:programs|record-schema)|node_modules\/(?!zod\/|@modelcontextprotocol\/)/.test(
                  id,
                ),
            },
          ],
        },
      },
    },
  },
};

/** The native host: one file, so that `install` can copy it out of a package that may move or be cleaned away. */
const host: UserConfig = {
  ...server,
  plugins: [],
  build: {
    ...server.build,
    rolldownOptions: {
      input: { host: at('server/bridge/host/main.ts') },
      output: { ...NODE_OUTPUT, codeSplitting: false },
    },
  },
};

/** Tables are packed once per version of `sources`: packing takes a third of a build's CPU time. */
async function kept(name: string, sources: readonly string[], make: () => Promise<Buffer>): Promise<Buffer> {
  const path = at(`.cache/packed/${fingerprint(root, sources)}-${name}`);
  if (existsSync(path)) return readFile(path);
  const packed = await make();
  const draft = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(draft, packed);
  await rename(draft, path);
  return packed;
}

/** Tables of character codes next to the thread that reads PDFs, and their licence in the notices. */
const bundledCMaps: Plugin = {
  name: 'bundled-cmaps',
  async writeBundle({ dir = at('dist') }) {
    const folder = at('node_modules/pdfjs-dist/cmaps');
    const sources = ['node_modules/pdfjs-dist/cmaps', 'server/toolkit/bundled.ts'];
    await writeFile(
      join(dir, BUNDLED_CMAPS),
      await kept(BUNDLED_CMAPS, sources, () => packFolder(folder, '.bcmap')),
    );
    await copyFile(join(folder, 'LICENSE'), join(dir, `${BUNDLED_CMAPS}.LICENSE`));
  },
};

/** QuickJS, which the server compiles once for all threads of programs. */
const quickjs: Plugin = {
  name: 'quickjs',
  async writeBundle({ dir = at('dist') }) {
    const program = 'node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm';
    const pack = async () => promisify(brotliCompress)(await readFile(at(program)));
    await writeFile(join(dir, 'quickjs.wasm.br'), await kept('quickjs.wasm.br', [program], pack));
  },
};

/** The engine's lists of companies and polyfills, which no figure of ours needs and which are larger than the engine. */
const traceEngine: Plugin = {
  name: 'spillway:trace-engine',
  enforce: 'pre',
  resolveId: (source) => (/^(?:third-party-web|legacy-javascript)$/.test(source) ? `\0${source}` : null),
  load: (id) =>
    id === '\0third-party-web'
      ? 'export default { getEntity: () => undefined, getRootDomain: () => null };'
      : id === '\0legacy-javascript'
        ? 'export const detectLegacyJavaScript = () => ({ matches: [], estimatedByteSavings: 0 });'
        : null,
};

/** A thread: a program of its own that is not read at the start. Minified for its size. */
const thread = (name: string, entry: string, plugins: readonly Plugin[] = []): UserConfig => ({
  root,
  plugins: [...plugins],
  publicDir: false,
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: true,
    outDir: at('dist'),
    emptyOutDir: false,
    target: 'node20',
    minify: true,
    rolldownOptions: {
      input: { [name]: at(entry) },
      output: { format: 'es', entryFileNames: '[name].js', codeSplitting: false },
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
  extension,
  content: contentScript('page', 'extension/page/content.ts', 288_900),
  person: contentScript('person', 'extension/page/person/content.ts', 13_800),
  guard: contentScript('guard', 'extension/page/guard.ts', 1_600),
  readability: contentScript('readability', 'extension/page/main-content/content.ts', 57_200),
  extract: contentScript('extract', 'extension/page/extract/content.ts', 103_400),
  audit: contentScript('audit', 'extension/page/audit/content.ts', 687_000),
  parser: contentScript('parser', 'extension/offscreen/parser.ts', 315_000),
  theme: contentScript('theme', 'extension/theme/first-paint.ts', 1_000),
  ...Object.fromEntries(widgetNames(root).map((name) => [`widget-${name}`, widget(name)])),
  server,
  host,
  pdf: thread('pdf-worker', 'server/toolkit/pdf/worker.ts', [bundledCMaps]),
  trace: thread('trace-worker', 'server/tools/trace/worker.ts', [traceEngine]),
  program: thread('program-worker', 'server/toolkit/programs/worker.ts', [quickjs]),
};

/**
 * `vite build --mode extension | content | guard | person | readability | extract | audit | parser | theme | widget-<name> | server | host | pdf | trace | program`;
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
