import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statfsSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { LIMITS, DEFAULT_WINDOW_SIZE } from '../../../shared/base/limits.ts';
import type { Logger } from '../services.ts';
import { delay, waitAtMost, abortable } from '../../../shared/base/async.ts';
import { createOwnedFolder, removeOwnedFolder } from '../machine/owned-folder.ts';
import { ADDRESS_BAR_FEATURES, searchChromium } from './chromium.ts';
import { findBuildDirectory } from '../machine/command-line.ts';
import { readRegistrations } from './registrations.ts';
import { launcherText, hostManifestText, MANIFEST_FILE } from './launcher.ts';

const PREFIX = 'spillway-browser-';

/**
 * A private folder for one private browser and its native host.
 * @throws SpillwayError `browser_launch_failed` if there is no room.
 */
export function createLaunchFolder(hostScript: string, logger: Logger) {
  try {
    const folder = createOwnedFolder(PREFIX, logger);
    try {
      return fillLaunchFolder(folder, hostScript);
    } catch (thrown) {
      removeOwnedFolder(folder);
      throw thrown;
    }
  } catch (cause) {
    const why = messageOf(cause);
    throw new SpillwayError(
      'browser_launch_failed',
      `The private browser did not start: its folder in ${tmpdir()} cannot be created (${why}).`,
      { hint: 'Free space there, or set TMPDIR to a writable folder.', cause },
    );
  }
}

/** Writes where only this profile finds the native host. */
function fillLaunchFolder(folder: string, hostScript: string) {
  const profile = join(folder, 'profile');
  const directory = join(folder, 'run');
  const launcher = join(folder, 'spillway-host');
  const manifests = join(profile, 'NativeMessagingHosts');
  mkdirSync(directory, { mode: 0o700 });
  mkdirSync(manifests, { mode: 0o700, recursive: true });
  const facts = {
    node: process.execPath,
    hostScript,
    bridgeDirectory: directory,
    serverScript: null,
    isPrivate: true,
  } as const;
  writeFileSync(launcher, launcherText('linux', facts), { mode: 0o700 });
  writeFileSync(join(manifests, MANIFEST_FILE), hostManifestText(launcher), { mode: 0o600 });
  return { folder, profile, directory };
}

/** Options of a private browser. */
export interface LaunchSettings {
  readonly headless: boolean;
  /** Executable; otherwise the machine is searched ({@link searchChromium}). */
  readonly browserPath?: string | null | undefined;
  /** Width and height of the window in pixels, such as `1280x900`. Default: 1280x900. */
  readonly windowSize?: string | undefined;
  /** The built extension; by default that of this build. */
  readonly extensionDir?: string | undefined;
  /** The built native host; by default that of this build. */
  readonly hostScript?: string | undefined;
  /** Further switches, such as `--host-resolver-rules=…`. */
  readonly args?: readonly string[] | undefined;
  /** How long the browser may live without writing a file before its host registers. */
  readonly connectTimeoutMs?: number | undefined;
}

export interface LaunchOptions extends LaunchSettings {
  readonly logger: Logger;
  readonly signal?: AbortSignal | undefined;
}

const REGISTRATION_POLL_MS = 20;
/** Time for a browser to end by itself after its pipe closes. */
const QUIT_TIMEOUT_MS = 800;
const KILL_TIMEOUT_MS = 500;
const STDERR_KEPT_CHARACTERS = 2_000;
const SHARED_MEMORY_MIN_BYTES = 512 * 1024 * 1024;

/**
 * Starts a browser with its own profile, our extension, and a native host that registers in its own bridge
 * directory. It ends with this process, however that ends: Chromium quits when the other end of its debugging
 * pipe closes, even after `kill -9`.
 * @throws SpillwayError `browser_launch_failed`, or the signal's reason.
 */
export async function launchBrowser(options: LaunchOptions): Promise<LaunchedBrowser> {
  if (process.platform === 'win32')
    throw buildFailure(
      'browsers find native hosts in the registry there, which a private profile cannot have',
      {
        hint: 'Run `spillway install` and use the extension in your own browser.',
      },
    );
  const build = findBuildDirectory();
  const extensionDir = options.extensionDir ?? join(build, 'extension');
  const hostScript = options.hostScript ?? join(build, 'host.js');
  for (const path of [join(extensionDir, 'manifest.json'), hostScript])
    if (!existsSync(path)) throw buildFailure(`${path} is missing`, { hint: 'Run npm run build first.' });
  const executable = await findExecutable(options);
  options.signal?.throwIfAborted();
  const { folder, profile, directory } = createLaunchFolder(hostScript, options.logger);
  const { headless, windowSize = DEFAULT_WINDOW_SIZE } = options;
  const args = browserArguments(profile, extensionDir, windowSize, options);
  options.logger.info({ executable, headless, window: windowSize }, 'starting a private browser');
  const browser = new LaunchedBrowser({ executable, args, folder, directory });
  try {
    await browser.waitForHost(options.connectTimeoutMs ?? LIMITS.launchTimeoutMs, options.signal);
    return browser;
  } catch (error) {
    await browser.close();
    throw error;
  }
}

async function findExecutable({ browserPath, logger }: LaunchOptions): Promise<string> {
  const { found, passedOver } = await searchChromium({ browserPath });
  for (const { path, reason } of passedOver) logger.debug({ path }, reason);
  if (found !== null) return found.path;
  const reasons = passedOver.map(({ path, reason }) => `${path}: ${reason}`).join(' ');
  throw buildFailure(
    reasons === '' ? 'no Chromium was found on this machine' : `no browser can be used. ${reasons}`,
  );
}

const NO_SECRETS = {
  SPILLWAY_TOKEN: undefined,
  SPILLWAY_QUEUE_PASSWORD: undefined,
  SPILLWAY_QUEUE_KEY: undefined,
};

/** Temporary files go next to the profile, so that a killed browser leaves nothing. It never sees our secrets. */
function browserEnvironment(folder: string): NodeJS.ProcessEnv {
  return { ...process.env, ...NO_SECRETS, TMPDIR: folder };
}

function browserArguments(
  profile: string,
  extensionDir: string,
  windowSize: string,
  options: LaunchOptions,
): string[] {
  const args = [
    `--user-data-dir=${profile}`,
    `--load-extension=${extensionDir}`,
    `--disable-extensions-except=${extensionDir}`,
    `--window-size=${windowSize.replace('x', ',')}`,
    '--remote-debugging-pipe',
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-quic',
    '--disable-breakpad',
    // Tabs open behind the front one, where V8 compiles less: a walk takes twice as long.
    '--disable-renderer-backgrounding',
    '--password-store=basic',
    '--use-mock-keychain',
  ];
  if (options.headless) args.push('--headless=new', `--disable-features=${ADDRESS_BAR_FEATURES.join(',')}`);
  if (process.getuid?.() === 0) {
    args.push('--no-sandbox');
    options.logger.warn({}, 'running as root: the private browser is started with --no-sandbox');
  }
  if (hasLittleSharedMemory()) args.push('--disable-dev-shm-usage');
  return [...args, ...(options.args ?? []), 'about:blank'];
}

/** Containers often have 64 MiB of shared memory, which large pages exhaust. */
function hasLittleSharedMemory(): boolean {
  try {
    const { bsize, blocks } = statfsSync('/dev/shm');
    return bsize * blocks < SHARED_MEMORY_MIN_BYTES;
  } catch {
    return false;
  }
}

/** A private browser. */
export class LaunchedBrowser {
  readonly pid: number;
  /** The bridge directory that only its host uses. */
  readonly directory: string;
  /** True once the browser's process has ended. */
  isOver = false;
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  #closing: Promise<void> | null = null;
  /** The end of its standard error, or why it did not start. */
  #lastWords = '';

  constructor(launch: { executable: string; args: string[]; folder: string; directory: string }) {
    this.directory = launch.directory;
    this.#folder = launch.folder;
    // A separate process group, so that it can be ended as a whole. 3 and 4 are the pipe.
    this.#child = spawn(launch.executable, launch.args, {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      env: browserEnvironment(launch.folder),
    });
    this.pid = this.#child.pid ?? -1;
    const say = (text: string): void => {
      this.#lastWords = (this.#lastWords + text).slice(-STDERR_KEPT_CHARACTERS);
    };
    this.#exited = new Promise((resolve) => {
      const over = (): void => {
        this.isOver = true;
        resolve();
      };
      this.#child.once('exit', over);
      this.#child.once('error', (error) => {
        say(error.message);
        over();
      });
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => say(chunk.toString()));
    // The browser should not keep this process alive; its pipes end with the process.
    for (const stream of this.#child.stdio) {
      stream?.on('error', () => undefined);
      if (stream instanceof Socket) stream.unref();
    }
    this.#child.unref();
    const output = this.#child.stdio[4];
    if (output && 'resume' in output) output.resume();
  }

  /**
   * Resolves when the extension has started its native host and the host has registered. Waits as long as the
   * browser still fills its profile, however slow the machine is.
   */
  async waitForHost(timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    let files = 0;
    let progressAt = performance.now();
    while (readRegistrations(this.directory).length === 0) {
      signal?.throwIfAborted();
      if (this.isOver) {
        const last = this.#lastWords.trim().split('\n').at(-1) ?? '';
        const words = last === '' ? '' : `: ${last.replace(/\.$/, '')}`;
        throw buildFailure(`the browser exited immediately${words}`);
      }
      if (performance.now() - progressAt > timeoutMs) {
        const seen = readdirSync(this.#folder, { recursive: true }).length;
        if (seen <= files)
          throw buildFailure(
            `it runs (pid ${this.pid}), but its extension has started no native host, and it has written no file for ${timeoutMs} ms`,
            { hint: 'Try again on a less busy machine, or give it longer with --connect-timeout-ms.' },
          );
        files = seen;
        progressAt = performance.now();
      }
      await delay(REGISTRATION_POLL_MS, signal);
    }
  }

  /** Ends the browser with all its processes and removes its profile. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    for (const stream of this.#child.stdio) stream?.destroy();
    await waitAtMost(this.#exited, QUIT_TIMEOUT_MS);
    try {
      // The group also contains helpers that outlive the browser for a moment.
      if (this.pid > 0) process.kill(-this.pid, 'SIGKILL');
    } catch {
      // No process remains in it.
    }
    await waitAtMost(this.#exited, KILL_TIMEOUT_MS);
    removeOwnedFolder(this.#folder);
  }
}

function buildFailure(why: string, options: { hint?: string } = {}): SpillwayError {
  return new SpillwayError('browser_launch_failed', `The private browser did not start: ${why}.`, options);
}

/** Keeps at most one private browser: started once for all callers, replaced after it has ended. */
export class LaunchKeeper {
  #launching: Promise<LaunchedBrowser> | null = null;
  #launched: LaunchedBrowser | null = null;
  #isAbandoned = false;

  /** @param options its signal ends a launch in progress. */
  constructor(private readonly options: LaunchOptions) {}

  /** The browser has ended, even if its connections do not show it yet. */
  get hasLost(): boolean {
    return this.#isAbandoned || this.#launched?.isOver === true;
  }

  /** It runs, but cannot be reached: Chromium does not restart an extension whose process was killed. */
  abandon(): void {
    this.#isAbandoned = this.#launched !== null;
  }

  /** The browser, started if need be. A caller that gives up does not stop it for the others. */
  async awaitLaunched(signal: AbortSignal | undefined): Promise<LaunchedBrowser> {
    if (this.#launching === null) {
      const launching = launchBrowser(this.options);
      this.#launching = launching;
      launching.then(
        (launched) => (this.#launched = launched),
        // The next call tries again.
        () => (this.#launching = null),
      );
    }
    return abortable(this.#launching, signal).catch((error: unknown) => {
      throw toSpillwayError(error);
    });
  }

  /** Releases a browser that has ended, so that {@link awaitLaunched} starts another. */
  forget(): void {
    const { logger } = this.options;
    this.#launched?.close().catch((error: unknown) => {
      logger.warn({ err: error }, 'the profile of a private browser that has ended could not be removed');
    });
    this.#launched = null;
    this.#launching = null;
    this.#isAbandoned = false;
  }

  /** Ends the browser, even while it is starting. */
  async close(): Promise<void> {
    const launched = await this.#launching?.catch(() => null);
    await launched?.close();
  }
}
