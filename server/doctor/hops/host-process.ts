import { LIMITS } from '../../../shared/limits.ts';
import { inspectDirectory } from '../../bridge/directory.ts';
import { isPidRunning } from '../../machine/process-identity.ts';
import { readRegistrations, type FoundHost } from '../../bridge/registrations.ts';
import { pathsOf } from '../../bridge/install/machine.ts';
import type { LiveHost } from '../../bridge/discovery.ts';
import type { DoctorContext } from '../context.ts';
import { probeLauncher } from '../probe-launcher.ts';
import { fail, pass, type Hop, type HopOutcome } from '../hop.ts';

/** Every launcher starts a host that says hello, and a browser has started one that is registered. */
export const hostProcessHop: Hop<DoctorContext> = {
  id: 'host_process',
  title: 'Host process',
  timeoutMs: LIMITS.helloTimeoutMs + 4_000,
  async run(context, signal) {
    const evidence: string[] = [];
    for (const launcher of context.findings.launchers) {
      const probe = await probeLauncher(context.machine, launcher, signal);
      if (!probe.ok)
        return fail(
          probe.seen,
          'Run `spillway install` again; if this persists, start the launcher in a terminal to see its error.',
          'host_no_hello',
        );
      evidence.push(`the launcher starts host ${probe.hello.identity.version} in ${probe.tookMs} ms`);
    }
    const { hosts, stale, refused } = lookAround(context);
    const matching = hosts.filter((host) => isWanted(context, host));
    if (matching.length === 0) return explainMissing(context, { evidence, hosts, stale, refused });
    context.findings.hosts = matching;
    for (const { registration } of matching)
      evidence.push(
        `${registration.browser.name} ${registration.browser.version} runs host ${registration.version}, pid ${registration.pid}`,
      );
    return pass(
      evidence,
      stale.map((sentence) => `${sentence} It is removed when the next host starts.`),
    );
  },
};

interface Surroundings {
  readonly hosts: LiveHost[];
  /** Sentences on registrations whose process has exited. */
  readonly stale: string[];
  /** Sentences on folders that cannot be trusted. */
  readonly refused: string[];
}

function lookAround(context: DoctorContext): Surroundings {
  const { launched } = context.findings;
  const seen: Surroundings = { hosts: [], stale: [], refused: [] };
  for (const directory of launched === null ? context.bridgeDirectories : [launched.directory]) {
    const problem = inspectDirectory(directory);
    if (problem !== null) {
      if (!problem.isMissing) seen.refused.push(problem.reason);
      continue;
    }
    for (const found of readRegistrations(directory)) {
      const why = staleness(found);
      if (why === null) seen.hosts.push({ ...found, directory });
      else seen.stale.push(`The registration ${found.path} names pid ${found.registration.pid}, ${why}.`);
    }
  }
  return seen;
}

/** Why a registration leads to no host, or null. */
function staleness({ isAlive, registration }: FoundHost): string | null {
  if (isAlive) return null;
  return isPidRunning(registration.pid) ? 'which is now another program' : 'which has exited';
}

/** Vivaldi does not tell pages or extensions its name. */
function isWanted({ browsers, findings }: DoctorContext, { registration }: LiveHost): boolean {
  if (browsers === 'found' || browsers.includes('vivaldi')) return true;
  return findings.browsers.some(({ places }) => places.name === registration.browser.name);
}

async function explainMissing(
  context: DoctorContext,
  seen: Surroundings & { readonly evidence: readonly string[] },
): Promise<HopOutcome> {
  const { findings } = context;
  const others = seen.hosts.map(
    ({ registration }) => `Only ${registration.browser.name} has started a native host.`,
  );
  const running = await describeRunning(context);
  const facts = [...seen.evidence, ...seen.refused, ...seen.stale, ...others, ...running];
  const [refusal] = seen.refused;
  if (refusal !== undefined)
    return fail(facts, 'Make that folder private to you (chmod 700) or remove it, and restart the browser.');
  const name = findings.browsers[0]?.places.name ?? 'the browser';
  const profile = findings.profiles[0];
  if (profile === undefined)
    return fail(
      facts,
      `Start ${name}, open chrome://extensions, switch "Developer mode" on and load the unpacked extension ` +
        `from ${extensionFolder(context)}.`,
      'browser_not_connected',
    );
  if (!profile.isEnabled)
    return fail(
      facts,
      `Switch Spillway on in chrome://extensions of ${profile.browser}, profile "${profile.profile}".`,
      'browser_not_connected',
    );
  return fail(
    facts,
    `Start ${profile.browser} with the profile "${profile.profile}"; if it runs, press the reload button of ` +
      'Spillway in chrome://extensions. The popup of its toolbar button shows its state.',
    'browser_not_connected',
  );
}

/** Whether each browser runs, by the lock that it keeps in its data on Linux and macOS. */
async function describeRunning({ machine, files, findings }: DoctorContext): Promise<string[]> {
  if (findings.browsers.length === 0 || machine.platform === 'win32')
    return ['No browser has started the native host.'];
  const sentences: string[] = [];
  for (const { places } of findings.browsers) {
    const lock = await files.linkTarget(pathsOf(machine).join(places.userDataDirectory, 'SingletonLock'));
    const pid = Number(/-(\d+)$/.exec(lock ?? '')?.[1] ?? 0);
    sentences.push(
      isPidRunning(pid)
        ? `${places.name} runs (pid ${pid}), but has not started the native host.`
        : `${places.name} does not run.`,
    );
  }
  return sentences;
}

function extensionFolder({ machine, home }: DoctorContext): string {
  return pathsOf(machine).join(home, 'extension');
}
