import { z } from 'zod';
import { HOST_NAME } from '../../shared/bridge/wire.ts';
import type { BrowserPlaces } from '../bridge/install/browsers.ts';
import { pathsOf } from '../bridge/install/machine.ts';
import type { DoctorContext } from './context.ts';

/** Policies of the native messaging group (chromeenterprise.google/policies). */
const Policies = z.object({
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
      const fix = `Ask the administrator of this machine to allow ${HOST_NAME} in ${at}.`;
      return {
        seen: `The policy ${rule} in ${at} prevents ${places.name} from starting the native host.`,
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
  const { NativeMessagingAllowlist: allowed = [], NativeMessagingBlocklist: blocked = [] } = policies;
  const isBlocked = blocked.includes('*') || blocked.includes(HOST_NAME);
  if (isBlocked && !allowed.includes(HOST_NAME)) return 'NativeMessagingBlocklist';
  return policies.NativeMessagingUserLevelHosts === false ? 'NativeMessagingUserLevelHosts' : null;
}
