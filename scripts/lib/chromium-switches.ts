/** A browser as on a person's desk, but quiet, and able to run as root. */
export const QUIET: readonly string[] = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--password-store=basic',
];

/** Leads every host name below `.test` to loopback. */
export const TEST_NAMES = '--host-resolver-rules=MAP *.test 127.0.0.1';

/** Loads one extension, unpacked, and no other. */
export const extensionSwitches = (folder: string): readonly string[] => [
  `--disable-extensions-except=${folder}`,
  `--load-extension=${folder}`,
];
