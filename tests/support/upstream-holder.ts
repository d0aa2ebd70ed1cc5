import { withUpstreams } from '../../server/upstreams/command.ts';
import { FAULTS } from './upstream-rig.ts';

/* Starts an upstream that does not exit by itself, and runs until it is killed. `tsx upstream-holder.ts <home>` */

const [home = ''] = process.argv.slice(2);
const hold = setInterval(() => undefined, 60_000);
await withUpstreams({ home, upstream: [`odd=${process.execPath} ${FAULTS} stubborn`] }, async () => {
  await new Promise(() => undefined);
});
clearInterval(hold);
