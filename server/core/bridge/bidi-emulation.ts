import { invalidArgument, toSpillwayError } from '../../../shared/base/errors.ts';
import type { Emulation } from '../../../shared/core/bridge/input-methods.ts';
import type { BidiSession } from './bidi.ts';

/** The commands for what is set: null ends a part. */
function commandsOf(tab: string, set: Emulation) {
  const { geolocation, locale, network, timezone, user_agent: userAgent, viewport } = set;
  const contexts = [tab];
  const networkConditions = network === 'offline' ? { type: network } : null;
  const size = viewport ? { width: viewport.width, height: viewport.height } : null;
  const all: readonly (readonly [name: keyof Emulation, method: string, params: object])[] = [
    ['geolocation', 'emulation.setGeolocationOverride', { contexts, coordinates: geolocation }],
    ['locale', 'emulation.setLocaleOverride', { contexts, locale }],
    ['network', 'emulation.setNetworkConditions', { contexts, networkConditions }],
    ['timezone', 'emulation.setTimezoneOverride', { contexts, timezone }],
    ['user_agent', 'emulation.setUserAgentOverride', { contexts, userAgent }],
    [
      'viewport',
      'browsingContext.setViewport',
      { context: tab, viewport: size, devicePixelRatio: viewport?.scale ?? null },
    ],
  ];
  return all.filter(([name]) => set[name] !== undefined);
}

/** Changes what a tab emulates. @param tab its context @throws SpillwayError `invalid_argument`, and as `send` */
export async function emulateInTab(bidi: BidiSession, tab: string, set: Emulation): Promise<void> {
  for (const [name, method, params] of commandsOf(tab, set))
    await bidi.send(method, params).catch((thrown: unknown) => {
      const { message } = toSpillwayError(thrown);
      throw message.includes('invalid argument') ? invalidArgument(`${name}: ${message}`) : thrown;
    });
}
