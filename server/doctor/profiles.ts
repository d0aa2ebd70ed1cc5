import { z } from 'zod';
import { EXTENSION_ID } from '../../shared/bridge/wire.ts';
import type { BrowserPlaces } from '../bridge/install/browsers.ts';
import type { Files } from '../bridge/install/files.ts';
import { pathsOf, type Machine } from '../bridge/install/machine.ts';

/** Our extension in one browser profile, as the profile's preferences last said on disk. */
export interface ProfileExtension {
  readonly browser: string;
  readonly profile: string;
  /** Folder of an unpacked extension; null for one from a store. */
  readonly folder: string | null;
  readonly isEnabled: boolean;
}

/** How to have the browser start a new host: a disabled extension has no reload button. */
export function reloadAdvice(profiles: readonly ProfileExtension[], browser: string): string {
  const known = profiles.filter((each) => each.browser === browser);
  const off = known.find(({ isEnabled }) => !isEnabled);
  if (off === undefined || known.some(({ isEnabled }) => isEnabled))
    return `Press the reload button of Spillway in chrome://extensions of ${browser}`;
  return `Switch Spillway on in chrome://extensions of ${browser}, profile "${off.profile}"`;
}

const Preferences = z.object({
  extensions: z.object({
    settings: z.record(
      z.string(),
      z.object({
        path: z.string().optional(),
        // Chromium writes a number, or since 133 a list of reasons.
        // Older ones say 0 for off here.
        state: z.number().optional(),
        disable_reasons: z.union([z.number(), z.array(z.number())]).optional(),
      }),
    ),
  }),
});

const PREFERENCE_FILES = ['Secure Preferences', 'Preferences'] as const;

/** Looks our extension up in every profile of a browser. Browsers write these files with delay. */
export async function readProfiles(
  machine: Machine,
  files: Files,
  places: BrowserPlaces,
): Promise<ProfileExtension[]> {
  const path = pathsOf(machine);
  const found: ProfileExtension[] = [];
  const names = (await files.list(places.userDataDirectory)) ?? [];
  for (const profile of names.filter((name) => name === 'Default' || name.startsWith('Profile '))) {
    for (const file of PREFERENCE_FILES) {
      const bytes = await files.read(path.join(places.userDataDirectory, profile, file));
      const setting = bytes === null ? null : settingOf(Buffer.from(bytes).toString('utf8'));
      if (setting === null) continue;
      const { path: folder, disable_reasons: reasons, state } = setting;
      found.push({
        browser: places.name,
        profile,
        folder: folder !== undefined && path.isAbsolute(folder) ? folder : null,
        isEnabled: state !== 0 && (Array.isArray(reasons) ? reasons.length === 0 : (reasons ?? 0) === 0),
      });
      break;
    }
  }
  return found;
}

function settingOf(text: string) {
  try {
    return Preferences.parse(JSON.parse(text)).extensions.settings[EXTENSION_ID] ?? null;
  } catch {
    return null;
  }
}
