import { withResult } from '../../shared/base/queue.ts';
import { createBridge } from '../../server/core/bridge/index.ts';
import { realClock, silentLogger } from './bridge-rig.ts';

/*
 * A server in its own process, for tests that kill or stop one: reads a stream of the size in the second argument from
 * the directory in the first, and prints its progress, one line at a time.
 */
const [directory = '', sizeBytes = '0'] = process.argv.slice(2);
const bridge = createBridge({ logger: silentLogger, clock: realClock, directory });
await bridge.ready();
const [browser] = bridge.browsers();
if (browser === undefined) throw new Error('No browser although the bridge is ready.');
console.log('ready');
const { values, result } = withResult(
  bridge.stream(browser.id, 'bridge.flood', { bytes: Number(sizeBytes) }),
);
let read = 0;
for await (const chunk of values) {
  if (read === 0) console.log('reading');
  read += chunk.length;
}
console.log(`read ${read} of ${result().bytes}`);
await bridge.close();
