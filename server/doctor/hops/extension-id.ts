import { EXTENSION_ID } from '../../../shared/bridge/wire.ts';
import { readExtension } from '../../bridge/install/extension-files.ts';
import { pathsOf } from '../../bridge/install/machine.ts';
import type { DoctorContext } from '../context.ts';
import { fail, pass, type Hop } from '../hop.ts';
import { readProfiles, type ProfileExtension } from '../profiles.ts';

/** The built extension has the id that the host lets in, and profiles that have it load it from a folder that exists. */
export const extensionIdHop: Hop<DoctorContext> = {
  id: 'extension_id',
  title: 'Extension id',
  timeoutMs: 5_000,
  async run(context) {
    const { machine, files, findings, distDirectory } = context;
    const path = pathsOf(machine);
    const built = await readExtension(machine, files, path.join(distDirectory, 'extension'));
    if (built?.id !== EXTENSION_ID)
      return fail(
        `The built extension's key makes the id ${built?.id ?? '(none: it has no key)'}; the host accepts ${EXTENSION_ID}.`,
        'Restore `key` in extension/public/manifest.json and run `npm run build`.',
      );
    for (const { places } of findings.browsers)
      findings.profiles.push(...(await readProfiles(machine, files, places)));
    for (const profile of findings.profiles)
      if (profile.folder !== null && (await readExtension(machine, files, profile.folder)) === null)
        return fail(
          `${describe(profile)} loads the extension from ${profile.folder}, which no longer contains it.`,
          'Run `spillway install`, remove the extension in chrome://extensions and load it from the folder that install names.',
        );
    const loaded = findings.profiles.map((profile) => `loaded in ${describe(profile)}`);
    return pass([EXTENSION_ID, ...loaded]);
  },
};

function describe({ browser, profile }: ProfileExtension): string {
  return `${browser}, profile "${profile}"`;
}
