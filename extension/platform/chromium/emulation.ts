import { z } from 'zod';
import { SpillwayError, invalidArgument } from '../../../shared/base/errors.ts';
import type { Emulated } from '../../../shared/inspect/emulate.methods.ts';
import type { InputTarget } from '../device.ts';
import { NETWORK_BUFFERS, refusalOf } from './debugger/send-command.ts';
import type { DebuggerLease } from './debugger/sessions.ts';
import { followSessions } from './debugger/targets.ts';

/** A script that runs before those of each document of an origin. */
export interface PageScript {
  readonly origin: string;
  readonly source: string;
}

/** As in a message, but with the origin of a script. */
export type Settings = {
  readonly [Name in keyof Emulated]?: (Name extends 'script' ? PageScript : Emulated[Name]) | undefined;
};

type Command = readonly [method: string, params: object];

/** Kilobits per second, and milliseconds, as in the browser's developer tools. */
const NETWORKS: Readonly<Record<Emulated['network'], { readonly kbps: number; readonly latency: number }>> = {
  online: { kbps: 0, latency: 0 },
  offline: { kbps: 0, latency: 0 },
  slow_3g: { kbps: 400, latency: 2_000 },
  fast_3g: { kbps: 1_440, latency: 563 },
  slow_4g: { kbps: 1_600, latency: 150 },
};
const BYTES_PER_KILOBIT = 125;
const UNLIMITED = -1;

const turnOf = ({ width, height }: Emulated['viewport']): object =>
  width > height ? { type: 'landscapePrimary', angle: 90 } : { type: 'portraitPrimary', angle: 0 };

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android ([\d.]*)/, 'Android'],
  [/CrOS \w+ ([\d.]*)/, 'Chrome OS'],
  [/Windows NT ([\d.]*)/, 'Windows'],
  [/Mac OS X ([\d_]*)/, 'macOS'],
  [/Linux()/, 'Linux'],
];

/** `navigator.userAgentData` and the client hints of an agent. Other browsers than Chromium have neither. */
function hintsOf(agent: string): object {
  const [pattern, platform] = SYSTEMS.find(([system]) => system.test(agent)) ?? [];
  if (pattern === undefined || !agent.includes('Chrome/')) return {};
  return {
    userAgentMetadata: {
      platform,
      platformVersion: pattern.exec(agent)?.[1]?.replaceAll('_', '.') ?? '',
      architecture: platform === 'Android' ? '' : 'x86',
      model: '',
      mobile: agent.includes('Mobile'),
    },
  };
}

/** As in a message. */
type Asked = { readonly [Name in keyof Emulated]?: Emulated[Name] | undefined };
type EmulatingTab = Pick<InputTarget, 'tabId' | 'server' | 'signal'>;

/** @throws SpillwayError for a setting that this browser has for all tabs alone, before a person is asked */
export async function expectEmulated({ proxy }: Asked, _tab: EmulatingTab): Promise<void> {
  if (proxy !== undefined)
    throw new SpillwayError(
      'unsupported_in_chromium',
      'proxy: Chromium has one for all tabs, not one for a tab.',
    );
}

/** Empty ends the emulation of a feature. */
const mediumValue = (isOn: boolean | undefined, on: string, off: string): string =>
  isOn === undefined ? '' : isOn ? on : off;

/** A part of the emulation: the settings it depends on, and the command that sets or resets them. */
interface EmulatedPart {
  readonly of: readonly (keyof Emulated)[];
  command(settings: Settings): Command;
}

const PARTS: readonly EmulatedPart[] = [
  {
    of: ['viewport'],
    command: ({ viewport }) =>
      viewport === undefined
        ? ['Emulation.clearDeviceMetricsOverride', {}]
        : [
            'Emulation.setDeviceMetricsOverride',
            {
              width: viewport.width,
              height: viewport.height,
              deviceScaleFactor: viewport.scale,
              mobile: viewport.mobile,
              // Otherwise that of the screen, which a phone does not have.
              ...(viewport.mobile && { screenOrientation: turnOf(viewport) }),
            },
          ],
  },
  {
    of: ['touch'],
    command: ({ touch = false }) => ['Emulation.setTouchEmulationEnabled', { enabled: touch }],
  },
  {
    of: ['print', 'color_scheme', 'reduced_motion', 'contrast', 'forced_colors'],
    command: ({ print, ...settings }) => [
      'Emulation.setEmulatedMedia',
      {
        media: mediumValue(print, 'print', 'screen'),
        features: [
          { name: 'prefers-color-scheme', value: settings.color_scheme ?? '' },
          {
            name: 'prefers-reduced-motion',
            value: mediumValue(settings.reduced_motion, 'reduce', 'no-preference'),
          },
          { name: 'prefers-contrast', value: settings.contrast?.replace('_', '-') ?? '' },
          { name: 'forced-colors', value: mediumValue(settings.forced_colors, 'active', 'none') },
        ],
      },
    ],
  },
  {
    of: ['reduced_data'],
    command: ({ reduced_data: isReduced }) => [
      'Emulation.setDataSaverOverride',
      isReduced === undefined ? {} : { dataSaverEnabled: isReduced },
    ],
  },
  {
    of: ['locale'],
    command: ({ locale }) => ['Emulation.setLocaleOverride', locale === undefined ? {} : { locale }],
  },
  {
    of: ['timezone'],
    command: ({ timezone = '' }) => ['Emulation.setTimezoneOverride', { timezoneId: timezone }],
  },
  {
    of: ['geolocation'],
    command: ({ geolocation }) =>
      geolocation === undefined
        ? ['Emulation.clearGeolocationOverride', {}]
        : ['Emulation.setGeolocationOverride', geolocation],
  },
  {
    // The `Accept-Language` header is set together with the user agent.
    of: ['user_agent', 'locale'],
    command: ({ user_agent: agent, locale }) => [
      'Emulation.setUserAgentOverride',
      {
        // Empty keeps the browser's own, and its client hints.
        userAgent: agent ?? '',
        ...(agent !== undefined && hintsOf(agent)),
        ...(locale !== undefined && { acceptLanguage: locale }),
      },
    ],
  },
  {
    of: ['network'],
    command: ({ network = 'online' }) => {
      const { kbps, latency } = NETWORKS[network];
      const throughput = network === 'online' ? UNLIMITED : kbps * BYTES_PER_KILOBIT;
      return [
        'Network.emulateNetworkConditions',
        {
          offline: network === 'offline',
          latency,
          downloadThroughput: throughput,
          uploadThroughput: throughput,
        },
      ];
    },
  },
  {
    of: ['cpu_slowdown'],
    command: ({ cpu_slowdown: rate = 1 }) => ['Emulation.setCPUThrottlingRate', { rate }],
  },
];

/** The commands that change a tab from `before` to `wanted`. */
const commandsOf = (before: Settings, wanted: Settings): readonly Command[] =>
  PARTS.filter(({ of }) =>
    of.some((name) => JSON.stringify(before[name]) !== JSON.stringify(wanted[name])),
  ).map(({ command }) => command(wanted));

/** A yes is for one site, and the tab may show others. `location` is the only name of it that no page can replace. */
const wrapScript = ({ origin, source }: PageScript): string =>
  `if (location.origin === ${JSON.stringify(origin)}) (function () {\n${source}\n}).call(this);`;

/**
 * Parses a script alone, so that none ends the condition around it.
 * @throws SpillwayError `invalid_argument`
 */
export async function checkScript(lease: DebuggerLease, script: PageScript): Promise<void> {
  await lease.send('Runtime.enable');
  try {
    for (const expression of [script.source, wrapScript(script)]) {
      const parsed = await lease.send('Runtime.compileScript', {
        expression,
        sourceURL: '',
        persistScript: false,
      });
      const { exceptionDetails } = Compiled.parse(parsed);
      if (exceptionDetails === undefined) continue;
      const { exception, lineNumber } = exceptionDetails;
      const [problem = ''] = exception.description.split('\n');
      throw invalidArgument(`script: is not JavaScript, in line ${lineNumber + 1}: ${problem}.`);
    }
  } finally {
    if (!lease.isRecording(null)) await lease.send('Runtime.disable').catch(() => undefined);
  }
}

const Compiled = z.object({
  exceptionDetails: z
    .object({ lineNumber: z.number(), exception: z.object({ description: z.string() }) })
    .optional(),
});

/** Their ids in the browser. A lost attachment has removed them. */
const scripts = new WeakMap<DebuggerLease, string>();

async function replaceScript(lease: DebuggerLease, script: PageScript | undefined): Promise<void> {
  const identifier = scripts.get(lease);
  scripts.delete(lease);
  if (identifier !== undefined) await lease.send('Page.removeScriptToEvaluateOnNewDocument', { identifier });
  if (script === undefined) return;
  // The browser runs none without the page's events, and with them leaves dialogs to us: they are the agent's.
  await lease.keepDialogs();
  const added = await lease.send('Page.addScriptToEvaluateOnNewDocument', { source: wrapScript(script) });
  scripts.set(lease, z.object({ identifier: z.string() }).parse(added).identifier);
}

/**
 * Makes a tab emulate exactly this. If the browser refuses a part, the former emulation stays.
 * @param emulates takes what the tab emulates from now on
 * @throws SpillwayError `invalid_argument` with the browser's message, and of the lost attachment
 */
export async function changeEmulation(
  lease: DebuggerLease,
  before: Settings,
  wanted: Settings,
  emulates: (settings: Settings) => void,
): Promise<void> {
  const send = async (from: Settings, to: Settings): Promise<void> => {
    // The browser throttles only requests that it reports.
    if (to.network !== undefined) await lease.send('Network.enable', NETWORK_BUFFERS);
    for (const [method, params] of commandsOf(from, to)) await lease.send(method, params);
    if (from.script !== to.script) await replaceScript(lease, to.script);
    // Before the sessions: one that is added meanwhile begins with it.
    emulates(to);
    await Promise.all(lease.sessions().map((sessionId) => sendToFrame(lease, sessionId, from, to)));
  };
  try {
    await send(before, wanted);
  } catch (thrown) {
    await send(wanted, before).catch(() => undefined);
    throw refusalOf(thrown, 'invalid_argument');
  }
}

/** Frames of other sites and workers that are added to the tab emulate what it does then. */
export const emulateInNew = (lease: DebuggerLease, settings: () => Settings): Promise<void> =>
  followSessions(lease, (sessionId) => sendToFrame(lease, sessionId, {}, settings()));

/**
 * The size belongs to the tab. A session does without commands that it refuses, as workers do. All are sent at once:
 * the session may be waiting for them.
 */
async function sendToFrame(
  lease: DebuggerLease,
  sessionId: string,
  { viewport: _before, ...from }: Settings,
  { viewport: _now, ...to }: Settings,
): Promise<void> {
  const enable: [string, object][] = to.network === undefined ? [] : [['Network.enable', NETWORK_BUFFERS]];
  await Promise.allSettled(
    [...enable, ...commandsOf(from, to)].map(([method, params]) => lease.send(method, params, { sessionId })),
  );
}
