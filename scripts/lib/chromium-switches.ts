import { ADDRESS_BAR_FEATURES } from '../../server/core/bridge/chromium.ts';

/** Of several switches `--disable-features` only the last one counts. */
const withoutFeatures = (...names: readonly string[]): string => `--disable-features=${names.join(',')}`;

/** Features that cost time or ask the network, and that no test looks at. */
const UNUSED_FEATURES = [
  ...ADDRESS_BAR_FEATURES,
  'AimEnabled',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PreconnectToSearch',
];

/** Our own list replaces Playwright's. */
const PLAYWRIGHT_FEATURES = [
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
];

const BASE: readonly string[] = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--password-store=basic',
];

/** A browser as on a person's desk, but quiet, and able to run as root. */
export const QUIET: readonly string[] = [...BASE, withoutFeatures(...UNUSED_FEATURES)];

/** The same for a browser that Playwright starts. */
export const QUIET_PLAYWRIGHT: readonly string[] = [
  ...BASE,
  withoutFeatures(...UNUSED_FEATURES, ...PLAYWRIGHT_FEATURES),
];

/** Resolves every host name below `.test` to loopback. */
export const TEST_NAMES = '--host-resolver-rules=MAP *.test 127.0.0.1';

/** Loads one extension, unpacked, and no other. */
export const extensionSwitches = (folder: string): readonly string[] => [
  `--disable-extensions-except=${folder}`,
  `--load-extension=${folder}`,
];
