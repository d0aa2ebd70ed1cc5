import { join } from 'node:path';
import { createServer, type PluginOption } from 'vite';
import { CACHE, ROOT } from '../../scripts/lib/run.mjs';
import { atEndOfFile } from './end-of-file.ts';

/** Serves a folder of `fixtures/components` as its developer would, and returns its address. */
export async function serveComponents(
  name: string,
  { include = [], plugins = [] }: { readonly include?: string[]; readonly plugins?: PluginOption[] } = {},
): Promise<string> {
  const server = await createServer({
    configFile: false,
    root: join(ROOT, 'fixtures/components', name),
    cacheDir: join(CACHE, 'components', name),
    logLevel: 'error',
    // A missing file answers 404, not the page.
    appType: 'mpa',
    plugins,
    oxc: { jsx: { runtime: 'automatic', development: true } },
    // Found later, they would reload the page.
    optimizeDeps: { include },
    server: { host: '127.0.0.1', port: 0, hmr: false },
  });
  atEndOfFile(() => server.close());
  await server.listen();
  const address = server.httpServer?.address();
  if (address === null || typeof address !== 'object') throw new Error('The server has no port.');
  return `http://127.0.0.1:${address.port}`;
}
