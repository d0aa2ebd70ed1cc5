import { serveFixtures } from '../../fixtures/serve.ts';
import type { ProfileRules } from './browser.ts';
import { calling } from './calling.ts';
import { IN_FIREFOX, IN_LAUNCHED_FIREFOX } from './engine.ts';
import { namingFirefox, spawnFirefox } from './firefox.ts';
import { lendChromium, type LentChromium } from './lent-browser.ts';
import { startServer } from './stdio-server.ts';
import { atEndOfFile } from './end-of-file.ts';

/** The browser that this run is for. Files that run in a Firefox take of it only what {@link TestFirefox} has. */
export async function lendBrowser(rules: NonNullable<ProfileRules['rules']>): Promise<LentChromium> {
  if (!IN_FIREFOX) return lendChromium({ rules });
  const taken: object = IN_LAUNCHED_FIREFOX ? namingFirefox() : await grantedFirefox(rules);
  return taken as LentChromium;
}

async function grantedFirefox(rules: NonNullable<ProfileRules['rules']>): Promise<object> {
  const firefox = await spawnFirefox({ rules });
  await firefox.grant('userScripts');
  return firefox;
}

/** Of a server that starts the browser of this run by itself. */
export const LAUNCH_ARGS: readonly string[] = IN_LAUNCHED_FIREFOX
  ? ['--launch', '--headless', '--browser', 'firefox']
  : [];

/** The sites of the fixtures, and a server connected to the browser of this worker, for one whole test file. */
export async function launched(...args: readonly string[]) {
  const site = await serveFixtures();
  atEndOfFile(() => site.close());
  const browser = await lendBrowser('private');
  const server = await startServer({ env: browser.serverEnv, args: [...LAUNCH_ARGS, ...args] });
  return { site, browser, server, ...calling(() => server) };
}
