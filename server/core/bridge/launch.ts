import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statfsSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { LIMITS, DEFAULT_WINDOW_SIZE } from '../../../shared/base/limits.ts';
import type { Logger } from '../services.ts';
import type { ServerMethods } from '../../../shared/core/bridge/server-methods.ts';
import { delay, waitAtMost } from '../../../shared/base/async.ts';
import { createOwnedFolder, removeOwnedFolder } from '../machine/owned-folder.ts';
import { readBrowser, searchBrowser, type NamedBrowser } from './browser-search.ts';
import { ADDRESS_BAR_FEATURES } from './chromium.ts';
import { bidiAddress, firefoxCommand, MANIFESTS_BELOW_HOME, writePreferences } from './firefox-start.ts';
import { findBuildDirectory } from '../machine/command-line.ts';
import { readRegistrations } from './registrations.ts';
import { launcherText, hostManifestText, MANIFEST_FILE, type BrowserFamily } from './launcher.ts';

const PREFIX = 'spillway-browser-';

/**
 * A private folder for one private browser and its native host.
 * @throws SpillwayError `browser_launch_failed` if there is no room.
 */
export function createLaunchFolder(hostScript: string, logger: Logger, family: BrowserFamily = 'chromium') {
  try {
    const folder = createOwnedFolder(PREFIX, logger);
    try {
      return fillLaunchFolder(folder, hostScript, family);
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
function fillLaunchFolder(folder: string, hostScript: string, family: BrowserFamily) {
  const profile = join(folder, 'profile');
  const directory = join(folder, 'run');
  const launcher = join(folder, 'spillway-host');
  const manifests =
    family === 'firefox' ? join(folder, MANIFESTS_BELOW_HOME) : join(profile, 'NativeMessagingHosts');
  mkdirSync(directory, { mode: 0o700 });
  for (const path of [profile, manifests]) mkdirSync(path, { mode: 0o700, recursive: true });
  const facts = {
    node: process.execPath,
    hostScript,
    bridgeDirectory: directory,
    serverScript: null,
    isPrivate: true,
  } as const;
  writeFileSync(launcher, launcherText('linux', facts), { mode: 0o700 });
  writeFileSync(join(manifests, MANIFEST_FILE), hostManifestText(launcher, family), { mode: 0o600 });
  return { folder, profile, directory };
}

/** Options of a private browser. */
export interface LaunchSettings {
  readonly headless: boolean;
  /** An executable, `firefox`, or `firefox:PATH`; otherwise the machine is searched for a Chromium. */
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
 * pipe closes, even after `kill -9`, and a shell does the same for Firefox.
 * @throws SpillwayError `browser_launch_failed`, or the signal's reason.
 */
export async function launchBrowser(options: LaunchOptions): Promise<LaunchedBrowser> {
  const named = readBrowser(options.browserPath);
  const { family } = named;
  checkPlatform(family);
  const { extensionDir, hostScript } = findBuilt(family, options);
  const executable = await findExecutable(named, options.logger);
  options.signal?.throwIfAborted();
  const { folder, profile, directory } = createLaunchFolder(hostScript, options.logger, family);
  const { headless, windowSize = DEFAULT_WINDOW_SIZE, args } = options;
  options.logger.info({ executable, headless, window: windowSize }, 'starting a private browser');
  const start =
    family === 'firefox'
      ? firefoxCommand({ executable, folder, profile, headless, windowSize, args })
      : { command: [executable, ...browserArguments(profile, extensionDir, windowSize, options)] };
  if (family === 'firefox') writePreferences(profile);
  const browser = new LaunchedBrowser({ ...start, folder, directory });
  const timeoutMs = options.connectTimeoutMs ?? LIMITS.launchTimeoutMs;
  try {
    if (family === 'firefox') await browser.install(profile, extensionDir, timeoutMs, options.signal);
    const hasHost = (): true | null => readRegistrations(directory).length > 0 || null;
    await browser.waitFor(hasHost, 'its extension has started no native host', timeoutMs, options.signal);
    return browser;
  } catch (error) {
    await browser.close();
    throw error;
  }
}

function checkPlatform(family: BrowserFamily): void {
  const { platform } = process;
  if (platform === 'linux' || (platform !== 'win32' && family === 'chromium')) return;
  const why =
    family === 'firefox'
      ? 'Firefox finds the native host of a private profile on Linux alone'
      : 'browsers find native hosts in the registry there, which a private profile cannot have';
  throw buildFailure(why, { hint: 'Run `spillway install` and use the extension in your own browser.' });
}

function findBuilt(family: BrowserFamily, options: LaunchOptions) {
  const build = findBuildDirectory();
  const extensionDir = options.extensionDir ?? join(build, family === 'firefox' ? 'firefox' : 'extension');
  const hostScript = options.hostScript ?? join(build, 'host.js');
  for (const path of [join(extensionDir, 'manifest.json'), hostScript])
    if (!existsSync(path)) throw buildFailure(`${path} is missing`, { hint: 'Run npm run build first.' });
  return { extensionDir, hostScript };
}

async function findExecutable(named: NamedBrowser, logger: Logger): Promise<string> {
  const { found, passedOver } = await searchBrowser(named);
  for (const { path, reason } of passedOver) logger.debug({ path }, reason);
  if (found !== null) return found.path;
  const reasons = passedOver.map(({ path, reason }) => `${path}: ${reason}`).join(' ');
  const what = named.family === 'firefox' ? 'Firefox' : 'Chromium';
  throw buildFailure(
    reasons === '' ? `no ${what} was found on this machine` : `no browser can be used. ${reasons}`,
  );
}

/** Dialogs of pages stay open until they are answered. */
const KEPT_DIALOGS = { unhandledPromptBehavior: { default: 'ignore', file: 'dismiss' } };

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
  /** Answers to this browser alone. */
  methods: Partial<ServerMethods> = {};
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  #closing: Promise<void> | null = null;
  /** The end of its standard error, or why it did not start. */
  #lastWords = '';

  constructor(launch: {
    readonly command: readonly string[];
    readonly env?: NodeJS.ProcessEnv;
    readonly folder: string;
    readonly directory: string;
  }) {
    const [program = '', ...args] = launch.command;
    this.directory = launch.directory;
    this.#folder = launch.folder;
    // A separate process group, so that it can be ended as a whole. 3 and 4 are the pipe.
    this.#child = spawn(program, args, {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      env: { ...browserEnvironment(launch.folder), ...launch.env },
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
   * Loads the extension into a Firefox over its only session of WebDriver BiDi. Without that session anyone on this
   * machine could open another, so the browser ends with it.
   */
  async install(
    profile: string,
    extension: string,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const look = (): string | null => bidiAddress(profile);
    const address = await this.waitFor(look, 'it takes no commands', timeoutMs, signal);
    const { openBidi } = await import('./bidi.ts');
    const { bidiInput } = await import('./bidi-input.ts');
    try {
      const bidi = await openBidi(address, KEPT_DIALOGS);
      void bidi.closed.then(() => this.close());
      this.methods = await bidiInput(bidi, this.#folder);
      await bidi.send('webExtension.install', { extensionData: { type: 'path', path: extension } });
    } catch (thrown) {
      throw buildFailure(`it did not take the extension (${messageOf(thrown)})`);
    }
  }

  /**
   * Resolves with what `look` finds, such as a host that has registered. Waits as long as the browser still fills its
   * profile, however slow the machine is.
   * @param lack what is missing without it
   */
  async waitFor<T>(
    look: () => T | null,
    lack: string,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    let files = 0;
    let progressAt = performance.now();
    for (;;) {
      const found = look();
      if (found !== null) return found;
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
            `it runs (pid ${this.pid}), but ${lack}, and it has written no file for ${timeoutMs} ms`,
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
