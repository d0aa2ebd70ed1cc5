import { createBridge } from '../../server/core/bridge/index.ts';
import { realClock, silentLogger } from './bridge-rig.ts';

/*
 * A server in its own process with a private browser, for tests that kill it: prints its browser's folder when it is
 * ready, and keeps running. Its argument names the browser.
 */
const [, , browserPath] = process.argv;
const bridge = createBridge({
  logger: silentLogger,
  clock: realClock,
  launch: { headless: true, browserPath },
});
await bridge.ready();
console.log('ready');
process.stdin.resume();
process.stdin.once('end', () => void bridge.close());
