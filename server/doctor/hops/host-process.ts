import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { delay, waitAtMost } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { labelAlike, look, type LocatedHost } from '../../core/bridge/discovery.ts';
import { readRefusals } from '../../core/bridge/registrations.ts';
import { isPidRunning } from '../../core/machine/process-identity.ts';
import { pathsOf, type Machine } from '../../core/bridge/machine.ts';
import { fail, pass, type HopOutcome } from '../../core/hop.ts';
import { formatBrowserName, reloadAdvice, hop, type DoctorContext } from '../hop.ts';
import { HostHello } from '../../../shared/core/bridge/hello.ts';
import { openEnvelope, FrameDecoder, parseFrame } from '../../core/bridge/frames.ts';
import { EXTENSION_ORIGIN, installPlaces } from '../../core/bridge/launcher.ts';

const EXIT_TIMEOUT_MS = 1_000;
const STDERR_BYTES = 2_000;

/**
 * Starts the launcher with a bare environment, as a browser does, and waits for the host's hello. Without a
 * worker's hello the host opens no socket, so this disturbs nothing.
 * @throws SpillwayError `host_no_hello`
 */
async function probeLauncher(
  { machine, connectTimeoutMs }: DoctorContext,
  launcher: string,
  signal: AbortSignal,
): Promise<string> {
  const startedAt = performance.now();
  const child = start(machine, launcher);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-STDERR_BYTES)));
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}.`));
    child.once('close', (code, killer) => {
      const how = killer === null ? `ended with code ${String(code)}` : `was ended by ${killer}`;
      resolve(`${how}.${lastLine(stderr)}`);
    });
  });
  try {
    const outcome = Promise.race([firstFrame(child), ended]);
    const silent = `runs, but sent nothing within ${connectTimeoutMs} ms.`;
    const first = (await waitAtMost(outcome, connectTimeoutMs, signal)) ?? silent;
    const { data: hello } = HostHello.safeParse(typeof first === 'string' ? undefined : first.message);
    const tookMs = Math.round(performance.now() - startedAt);
    if (hello !== undefined) return `the launcher starts host ${hello.identity.version} in ${tookMs} ms`;
    const seen = typeof first === 'string' ? first : 'starts a program that is not a Spillway host.';
    throw new SpillwayError('host_no_hello', `The launcher ${launcher} ${seen}`, {
      hint: 'Run `spillway install` again; if this persists, start the launcher in a terminal to see its error.',
    });
  } finally {
    // A host exits at the end of its input; one that does not is killed.
    child.stdin.end();
    await waitAtMost(ended, EXIT_TIMEOUT_MS);
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  }
}

function start({ platform, env, userHome }: Machine, launcher: string): ChildProcessWithoutNullStreams {
  if (platform !== 'win32')
    return spawn(launcher, [EXTENSION_ORIGIN], { env: { PATH: '/usr/bin:/bin', HOME: userHome }, cwd: '/' });
  // Chromium starts a batch file in this way (native_process_launcher_win.cc).
  return spawn(env['ComSpec'] ?? 'cmd.exe', ['/d', '/s', '/c', `""${launcher}" ${EXTENSION_ORIGIN}"`], {
    windowsVerbatimArguments: true,
    windowsHide: true,
  });
}

/** Resolves to the first frame's message, or to a sentence if the data is not a frame. */
function firstFrame(child: ChildProcessWithoutNullStreams): Promise<{ readonly message: unknown } | string> {
  const decoder = new FrameDecoder();
  return new Promise((resolve) => {
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (chunk: Buffer) => {
      try {
        for (const frame of decoder.push(chunk))
          resolve({ message: parseFrame(openEnvelope(frame).message) });
      } catch {
        resolve(`wrote an invalid frame: ${JSON.stringify(chunk.toString('latin1', 0, 60))}.`);
      }
    });
  });
}

/** The most telling line of a program's last output: Node ends a crash with its own version. */
function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('Node.js v'));
  const line = lines.findLast((each) => /^\w*Error\b/.test(each)) ?? lines.at(-1);
  return line === undefined ? '' : ` It said: ${line.trim().slice(0, 300)}`;
}

const LOOK_MS = 200;
/** Extra time for a host on a busy machine to register again. */
const MARGIN_MS = 2_000;

/** Every launcher starts a host that says hello, and a browser has started one that is registered. */
export const hostProcessHop = hop(
  'host_process',
  'Host process',
  ({ connectTimeoutMs }) => connectTimeoutMs + LIMITS.hostLookoutMs + 5_000,
  async (context, signal) => {
    const evidence: string[] = [];
    for (const launcher of context.findings.launchers)
      evidence.push(await probeLauncher(context, launcher, signal));
    const seen = await awaitHosts(context, evidence, signal);
    const { hosts, stale, refusals } = seen;
    const matching = hosts.filter((host) => isWanted(context, host));
    const [refusal] = refusals;
    if (matching.length === 0 && refusal !== undefined) {
      const { message, browser, host, extension, at } = refusal;
      context.findings.versionRefusal = new SpillwayError('wire_version_mismatch', message);
      const when = at.toISOString();
      return pass([
        ...evidence,
        `${browser} started host ${host} at ${when}, which refused extension ${extension} for its version`,
      ]);
    }
    if (matching.length === 0) return explainMissing(context, evidence, seen);
    context.findings.hosts = labelHosts(matching);
    for (const { registration } of context.findings.hosts)
      evidence.push(
        `${formatBrowserName(registration.browser)} ${registration.browser.version} runs host ${registration.version}, pid ${registration.pid}`,
      );
    return pass(
      evidence,
      stale.map((sentence) => `${sentence} It is removed when the next host starts.`),
    );
  },
);

function labelHosts(hosts: readonly LocatedHost[]): LocatedHost[] {
  const browsers = hosts.map((host) => {
    const { extension_instance: instance, browser: facts } = host.registration;
    return { host, instance, facts };
  });
  return labelAlike(browsers).map(({ host, facts }) => ({
    ...host,
    registration: { ...host.registration, browser: facts },
  }));
}

/** Looks again if a browser runs and its host may have lost its folder: it soon registers in a new one. */
async function awaitHosts(
  context: DoctorContext,
  evidence: string[],
  signal: AbortSignal,
): Promise<Surroundings> {
  const first = lookAround(context);
  // Windows has no lock: a browser there counts as running.
  const isRunning =
    context.machine.platform === 'win32' || (await runningPids(context)).some((pid) => pid !== null);
  if (!first.isWithoutFolder || !isRunning) return first;
  const until = performance.now() + LIMITS.hostLookoutMs + MARGIN_MS;
  while (performance.now() < until) {
    await delay(LOOK_MS, signal);
    const seen = lookAround(context);
    if (seen.hosts.length === 0) continue;
    evidence.push('the bridge folder was missing; the host has registered again');
    return seen;
  }
  return first;
}

/** Registrations whose process has exited, and folders that cannot be trusted, are sentences. */
function lookAround({ bridgeDirectories, findings: { launched } }: DoctorContext) {
  const { hosts, dead, trusted, refused } = look(
    launched === null ? bridgeDirectories : [launched.directory],
  );
  const stale = dead.map(({ path, registration: { pid } }) => {
    const fate = isPidRunning(pid) ? 'which is now another program' : 'which has exited';
    return `The registration ${path} names pid ${pid}, ${fate}.`;
  });
  // Extensions that a host refused for their version.
  const refusals = trusted.flatMap(readRefusals);
  return { hosts, stale, refused, refusals, isWithoutFolder: trusted.length + refused.length === 0 };
}

type Surroundings = ReturnType<typeof lookAround>;

/** Vivaldi hides its name from pages and extensions. */
function isWanted({ browsers, findings }: DoctorContext, { registration }: LocatedHost): boolean {
  if (browsers === 'found' || browsers.includes('vivaldi')) return true;
  return findings.browsers.some(({ name }) => name === registration.browser.name);
}

async function explainMissing(
  context: DoctorContext,
  evidence: readonly string[],
  seen: Surroundings,
): Promise<HopOutcome> {
  const { findings } = context;
  const others = seen.hosts.map(
    ({ registration }) => `Only ${registration.browser.name} has started a native host.`,
  );
  const running = await describeRunning(context);
  const facts = [...evidence, ...seen.refused, ...seen.stale, ...others, ...running];
  const [refusal] = seen.refused;
  if (refusal !== undefined)
    return fail(facts, 'Make that folder private to you (chmod 700) or remove it, and restart the browser.');
  const [{ name, family } = { name: 'the browser', family: 'chromium' }] = findings.browsers;
  const { extensionDirectory, firefoxDirectory } = installPlaces(context.machine, context.home);
  const load =
    family === 'firefox'
      ? `open about:debugging#/runtime/this-firefox and load the temporary add-on ${firefoxDirectory}`
      : `open chrome://extensions, switch "Developer mode" on and load the unpacked extension from ${extensionDirectory}`;
  // A profile with the extension enabled could have started a host, so it is the one to examine.
  const profile = findings.profiles.find(({ isEnabled }) => isEnabled) ?? findings.profiles[0];
  if (profile === undefined) return fail(facts, `Start ${name}, ${load}.`, 'browser_not_connected');
  if (!profile.isEnabled)
    return fail(facts, `${reloadAdvice([profile], profile.browser)}.`, 'browser_not_connected');
  return fail(
    facts,
    `Start ${profile.browser} with the profile "${profile.profile}"; if it runs, press the reload button of ` +
      'Spillway in chrome://extensions. The popup of its toolbar button shows its state.',
    'browser_not_connected',
  );
}

/** Whether each browser runs, by the lock in its data folder on Linux and macOS. */
async function describeRunning(context: DoctorContext): Promise<string[]> {
  const { machine, findings } = context;
  if (findings.browsers.length === 0 || machine.platform === 'win32')
    return ['No browser has started the native host.'];
  const pids = await runningPids(context);
  return findings.browsers.map(({ name }, at) =>
    pids[at] === null
      ? `${name} does not run.`
      : `${name} runs (pid ${pids[at]}), but has not started the native host.`,
  );
}

/** Of each browser that was found; null for one that does not run. */
function runningPids({ machine, files, findings }: DoctorContext): Promise<(number | null)[]> {
  const { join } = pathsOf(machine);
  const pids = findings.browsers.map(async ({ family, userDataDirectory }) => {
    // Each profile of Firefox has a lock of its own.
    const profiles = family === 'firefox' ? ((await files.list(userDataDirectory)) ?? []) : ['SingletonLock'];
    const locks = profiles.map((name) =>
      files.linkTarget(join(userDataDirectory, name, ...(family === 'firefox' ? ['lock'] : []))),
    );
    const found = (await Promise.all(locks)).map((lock) => Number(/[-+](\d+)$/.exec(lock ?? '')?.[1] ?? 0));
    return found.find(isPidRunning) ?? null;
  });
  return Promise.all(pids);
}
