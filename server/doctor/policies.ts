import { z } from 'zod';
import { EXTENSION_ID, HOST_NAME } from '../../shared/bridge/wire.ts';
import type { BrowserPlaces } from '../bridge/install/browsers.ts';
import { pathsOf } from '../bridge/install/machine.ts';
import type { DoctorContext } from './context.ts';

/** Policies on native messaging and extensions (chromeenterprise.google/policies). */
const Policies = z.object({
  ExtensionInstallBlocklist: z.array(z.string()).optional(),
  ExtensionInstallAllowlist: z.array(z.string()).optional(),
  /** 1: nobody may switch developer mode on, which unpacked extensions need. */
  ExtensionDeveloperModeSettings: z.number().optional(),
  NativeMessagingUserLevelHosts: z.boolean().optional(),
  NativeMessagingBlocklist: z.array(z.string()).optional(),
  NativeMessagingAllowlist: z.array(z.string()).optional(),
});

/** The first policy file that keeps the browser from starting our host, or null. */
export async function findForbiddingPolicy(
  { machine, files }: Pick<DoctorContext, 'machine' | 'files'>,
  places: BrowserPlaces,
): Promise<{ readonly seen: string; readonly fix: string } | null> {
  const path = pathsOf(machine);
  for (const folder of places.policyDirectories)
    for (const name of (await files.list(folder)) ?? []) {
      if (!name.endsWith('.json')) continue;
      const at = path.join(folder, name);
      const rule = forbiddingRule(Buffer.from((await files.read(at)) ?? []).toString('utf8'));
      if (rule === null) continue;
      const fix = `Ask the administrator of this machine to allow the extension ${EXTENSION_ID} and the native host ${HOST_NAME} in ${at}.`;
      return {
        seen: `The policy ${rule} in ${at} prevents ${places.name} from starting the extension or its native host.`,
        fix,
      };
    }
  return null;
}

function forbiddingRule(text: string): string | null {
  let policies: z.infer<typeof Policies>;
  try {
    policies = Policies.parse(JSON.parse(text));
  } catch {
    return null;
  }
  const isBlocked = (
    name: string,
    blocked: readonly string[] = [],
    allowed: readonly string[] = [],
  ): boolean => (blocked.includes('*') || blocked.includes(name)) && !allowed.includes(name);
  const { ExtensionInstallBlocklist, ExtensionInstallAllowlist } = policies;
  if (isBlocked(EXTENSION_ID, ExtensionInstallBlocklist, ExtensionInstallAllowlist))
    return 'ExtensionInstallBlocklist';
  if (policies.ExtensionDeveloperModeSettings === 1) return 'ExtensionDeveloperModeSettings';
  const { NativeMessagingAllowlist, NativeMessagingBlocklist } = policies;
  if (isBlocked(HOST_NAME, NativeMessagingBlocklist, NativeMessagingAllowlist))
    return 'NativeMessagingBlocklist';
  return policies.NativeMessagingUserLevelHosts === false ? 'NativeMessagingUserLevelHosts' : null;
}
