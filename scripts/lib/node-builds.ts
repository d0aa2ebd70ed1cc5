import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { Plugin, UserConfig } from 'vite';
import { BUNDLED_CMAPS, packFolder } from '../../server/core/bundled.ts';
import { BUNDLED_DOCS, packDocs, readSourcePages } from '../../server/docs-search/library.ts';
import { fingerprint } from './fingerprint.mjs';
import { leanZod } from './lean-zod.ts';

const root = resolve(import.meta.dirname, '../..');
const at = (path: string): string => resolve(root, path);

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

/** The SDK's server imports a JSON Schema compiler that it never uses here; to read it takes a tenth of a start. */
const withoutAjv: Plugin = {
  name: 'spillway:without-ajv',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source.endsWith('/ajv-provider.js') && importer?.endsWith('/sdk/dist/esm/server/index.js') === true
      ? at('server/mcp/era-2026/shims.ts')
      : null,
};

/** The queue without its backend for PostgreSQL and the comments of its scripts for Redis: a fortieth of the package. */
const leanQueue: Plugin = {
  name: 'spillway:lean-queue',
  transform: (code, id) => {
    if (id.endsWith('/bullmq/dist/esm/postgres/index.js')) return 'export {};';
    return /\/bullmq\/dist\/esm\/scripts\/[^/]+\.js$/.test(id)
      ? code.replaceAll(/--\[\[[^]*?\]\]|^\s*--.*$/gm, '').replaceAll(/\n\s+/g, '\n')
      : null;
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

/** False for libraries, and for files that a thread reads alone. */
const isShared = (id: string): boolean =>
  !/server\/programs|core\/record-schema|node_modules\/(?!zod\/|@modelcontextprotocol\/)/.test(id);

const sources = (...names: readonly string[]): ReadonlySet<string> =>
  new Set(names.map((name) => at(`server/${name}.ts`)));
/** Read before a server answers its first list. */
const START = sources('cli/main', 'mcp/stdio', 'mcp/era-2025/server');
/** Read before the first call. */
const CALLS = sources('core/compose');
/** Threads that share code with the server. */
const THREADS = sources('outputs/query/worker', 'trace/worker', 'libraries/source-maps/worker');

type InfoOf = (id: string) => { readonly importers: readonly string[] } | null;

/** Whether one of `roots` imports a module, itself or through others. They run when they are loaded. */
function isOf(roots: ReadonlySet<string>, id: string, infoOf: InfoOf, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  return (infoOf(id)?.importers ?? []).some((by) => roots.has(by) || isOf(roots, by, infoOf, seen));
}

/**
 * Everything that runs on Node, dependencies included, so that a start reads few files: the server, and the package's
 * exports, with the SDKs of agents left to the importer. Functions and classes keep their names when minified, so that
 * stacks are readable.
 */
const server: UserConfig = {
  root,
  plugins: [bundledDocs, withoutAjv, leanQueue, traceEngine],
  publicDir: false,
  resolve: {
    alias: {
      '@modelcontextprotocol/client/_shims': at('server/mcp/era-2026/shims.ts'),
      '@modelcontextprotocol/server/_shims': at('server/mcp/era-2026/shims.ts'),
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
        chromium: at('server/core/bridge/chromium.ts'),
        'query-worker': at('server/outputs/query/worker.ts'),
        'trace-worker': at('server/trace/worker.ts'),
        'source-map-worker': at('server/libraries/source-maps/worker.ts'),
        'library/spillway': at('server/library/index.ts'),
        'library/anthropic': at('server/library/anthropic/index.ts'),
        'library/ai-sdk': at('server/library/ai-sdk/index.ts'),
        'library/workflow': at('server/library/workflow.ts'),
      },
      output: {
        ...NODE_OUTPUT,
        chunkFileNames: 'chunks/[name]-[hash].js',
        // Few files instead of a hundred of a few lines each: one for what a start reads, which has no library but those of
        // schemas and of MCP, and one for code that most tools share. A command to a running session reads neither.
        codeSplitting: {
          groups: [
            { name: 'session', priority: 2, test: /cli\/session\/(?:client|note)|tools\/names\.generated/ },
            {
              priority: 1,
              test: isShared,
              debugName: 'start',
              name: (id, modules) => {
                const isIn = (roots: ReadonlySet<string>): boolean =>
                  isOf(roots, id, (of) => modules.getModuleInfo(of));
                if (!START.has(id) && isIn(START)) return isIn(THREADS) ? 'base' : 'start';
                return isIn(CALLS) && isIn(THREADS) ? 'outputs' : null;
              },
            },
            { name: 'common', minShareCount: 4, test: isShared },
          ],
        },
      },
    },
  },
};

/** The native host: one file, so that `install` can copy it out of a package that may move or be cleaned away. */
const host: UserConfig = {
  ...server,
  plugins: [leanZod],
  build: {
    ...server.build,
    rolldownOptions: {
      input: { host: at('server/core/bridge/host/main.ts') },
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
    const sources = ['node_modules/pdfjs-dist/cmaps', 'server/core/bundled.ts'];
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

/** The builds for Node, by the name of their mode. */
export const nodeBuilds: Readonly<Record<string, UserConfig>> = {
  server,
  host,
  pdf: thread('pdf-worker', 'server/libraries/pdf-text/worker.ts', [leanZod, bundledCMaps]),
  program: thread('program-worker', 'server/programs/worker.ts', [quickjs]),
};
