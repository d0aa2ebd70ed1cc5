import { z } from 'zod';
import { EXTENSION_ID } from '../../../shared/bridge/wire.ts';
import type { BrowserPlaces } from './browsers.ts';
import { pathsOf, type Files, type Machine } from './machine.ts';
import { parseAs } from '../../../shared/json-schema.ts';

/** Our extension in one browser profile, by the profile's last stored preferences. */
export interface ProfileExtension {
  readonly browser: string;
  readonly profile: string;
  /** Folder of an unpacked extension; null for one from a store. */
  readonly folder: string | null;
  readonly isEnabled: boolean;
  /** Chromium switches unpacked extensions off without developer mode. */
  readonly lacksDeveloperMode: boolean;
}

const Preferences = z.object({
  extensions: z.object({
    settings: z.record(
      z.string(),
      z.object({
        path: z.string().optional(),
        // Chromium writes a number, or since 133 a list of reasons. Older versions write 0 for off here.
        state: z.number().optional(),
        disable_reasons: z.union([z.number(), z.array(z.number())]).optional(),
      }),
    ),
  }),
});

/** Of Chromium's `disable_reason.h`. */
const UNSUPPORTED_DEVELOPER_EXTENSION = 2 ** 24;

const PREFERENCE_FILES = ['Secure Preferences', 'Preferences'] as const;

/** Looks up our extension in every profile of a browser. Browsers write these files with a delay. */
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
      const { path: folder, disable_reasons: written = 0, state } = setting;
      const reasons = Array.isArray(written) ? written.reduce((all, one) => all | one, 0) : written;
      found.push({
        browser: places.name,
        profile,
        folder: folder !== undefined && path.isAbsolute(folder) ? folder : null,
        isEnabled: state !== 0 && reasons === 0,
        lacksDeveloperMode: (reasons & UNSUPPORTED_DEVELOPER_EXTENSION) !== 0,
      });
      break;
    }
  }
  return found;
}

function settingOf(text: string) {
  return parseAs(Preferences, text)?.extensions.settings[EXTENSION_ID] ?? null;
}
