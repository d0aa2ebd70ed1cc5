import { build } from 'vite';

/**
 * Bundles a module, with what it imports, to a classic script.
 * @param {string} entry
 * @returns {Promise<string>}
 */
export async function bundle(entry) {
  const { output } = await build({
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
  return output[0].code;
}
