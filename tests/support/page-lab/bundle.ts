import { build } from 'vite';

/** Bundles a module, with what it imports, to a classic script. */
export async function bundle(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      minify: false,
      target: 'chrome125',
      rolldownOptions: { input: entry, output: { format: 'iife', codeSplitting: false } },
    },
  });
  for (const result of Array.isArray(built) ? built : [built])
    for (const file of 'output' in result ? result.output : []) if (file.type === 'chunk') return file.code;
  throw new Error(`${entry} was not bundled.`);
}
