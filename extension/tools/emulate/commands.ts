import type { Emulated } from '../../../shared/tools/emulate/methods.ts';

/** As in a message. */
export type Settings = { readonly [Name in keyof Emulated]?: Emulated[Name] | undefined };

type Command = readonly [method: string, params: object];

/** Kilobits per second, and milliseconds, as in the browser's developer tools. */
const NETWORKS: Readonly<Record<Emulated['network'], { readonly kbps: number; readonly latency: number }>> = {
  offline: { kbps: 0, latency: 0 },
  slow_3g: { kbps: 400, latency: 2_000 },
  fast_3g: { kbps: 1_440, latency: 563 },
  slow_4g: { kbps: 1_600, latency: 150 },
};
const BYTES_PER_KILOBIT = 125;
const UNLIMITED = -1;

/** A part of the emulation: the settings it depends on, and the command that sets or resets them. */
interface Part {
  readonly of: readonly (keyof Emulated)[];
  command(settings: Settings): Command;
}

const PARTS: readonly Part[] = [
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
            },
          ],
  },
  {
    of: ['touch'],
    command: ({ touch = false }) => ['Emulation.setTouchEmulationEnabled', { enabled: touch }],
  },
  {
    of: ['color_scheme', 'reduced_motion', 'print'],
    command: ({ color_scheme: scheme = '', reduced_motion: isReduced, print }) => [
      'Emulation.setEmulatedMedia',
      {
        media: print === undefined ? '' : print ? 'print' : 'screen',
        features: [
          { name: 'prefers-color-scheme', value: scheme },
          {
            name: 'prefers-reduced-motion',
            value: isReduced === undefined ? '' : isReduced ? 'reduce' : 'no-preference',
          },
        ],
      },
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
      agent === undefined && locale === undefined
        ? { userAgent: '' }
        : {
            userAgent: agent ?? navigator.userAgent,
            ...(locale !== undefined && { acceptLanguage: locale }),
          },
    ],
  },
  {
    of: ['network'],
    command: ({ network }) => {
      const { kbps, latency } = network === undefined ? { kbps: 0, latency: 0 } : NETWORKS[network];
      const throughput = network === undefined ? UNLIMITED : kbps * BYTES_PER_KILOBIT;
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
export const commandsOf = (before: Settings, wanted: Settings): readonly Command[] =>
  PARTS.filter(({ of }) =>
    of.some((name) => JSON.stringify(before[name]) !== JSON.stringify(wanted[name])),
  ).map(({ command }) => command(wanted));
