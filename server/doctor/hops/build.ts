import { VERSION } from '../../../shared/version.ts';
import { readExtension } from '../../bridge/install/extension-files.ts';
import { listTree } from '../../bridge/install/files.ts';
import { pathsOf } from '../../bridge/install/machine.ts';
import { installPlaces } from '../../bridge/install/places.ts';
import type { DoctorContext } from '../context.ts';
import { fail, pass, type Hop } from '../hop.ts';

const FIX = 'Run `npm run build` in the clone, or install the package again; then `spillway install`.';
const FILES = ['index.js', 'host.js', 'extension/manifest.json', 'extension/worker.js', 'extension/page.js'];

/** Server, native host and extension are built, and of one version. */
export const buildHop: Hop<DoctorContext> = {
  id: 'build',
  title: 'Build',
  timeoutMs: 2_000,
  async run({ machine, files, distDirectory, home }) {
    const path = pathsOf(machine);
    const missing: string[] = [];
    for (const name of FILES)
      if ((await files.mode(path.join(distDirectory, name))) === null) missing.push(name);
    if (missing.length > 0) return fail(`${distDirectory} lacks ${missing.join(', ')}.`, FIX);
    const extension = await readExtension(machine, files, path.join(distDirectory, 'extension'));
    if (extension === null) return fail(`${distDirectory}/extension/manifest.json is broken.`, FIX);
    if (extension.version !== VERSION)
      return fail(
        `The built extension has version ${extension.version}, this server ${VERSION}: the build is mixed.`,
        FIX,
      );
    const copyPath = installPlaces(machine, home).extensionDirectory;
    const copy = await readExtension(machine, files, copyPath);
    if (copy !== null)
      for (const name of await listTree(machine, files, path.join(distDirectory, 'extension')))
        if ((await files.mode(path.join(copyPath, name))) === null)
          return fail(
            `The browser's copy of the extension, ${copyPath}, lacks ${name}.`,
            'Run `spillway install`, and reload Spillway in chrome://extensions.',
          );
    const warnings =
      copy === null || copy.version === VERSION
        ? []
        : [
            `The extension in ${copyPath} is version ${copy.version}: run \`spillway install\` and reload it in the browser.`,
          ];
    return pass(`version ${VERSION} in ${distDirectory}`, warnings);
  },
};
