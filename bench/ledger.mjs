/**
 * Lines of the ledger, each acknowledged once it is on the disk:
 *
 *     node --import tsx bench/ledger.mjs
 *
 * The last line of output is the result as JSON: milliseconds of a line by itself, lines a second when many come at
 * once, milliseconds of a bare write and sync of as many bytes, and lines a second of the check.
 */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../server/core/services.ts';
import { createLedger } from '../server/ledger/index.ts';
import { readLedger } from '../server/ledger/verify.ts';
import { inFolder } from './lib/runs.mjs';
import { summarise, timed } from './lib/stats.mjs';

const WARM_UP = 50;
const SINGLE = 500;
const LINE_BYTES = 700;
const AT_ONCE = 100;
const ROUNDS = 100;
const logger = { debug() {}, info() {}, warn() {}, error() {} };

const entry = (call) => ({
  kind: 'act',
  agent: { name: 'claude-code', version: '2.1', client_session: 's1', server: 'server-1' },
  decided: { where: 'window' },
  grant: 'grant_1',
  risks: ['input', 'submit'],
  site: 'https://shop.example',
  tab: 'b1:7',
  tool: 'interact',
  call_id: call,
  args_hash: 'a'.repeat(64),
});

await inFolder(async (home) => {
  const ledger = createLedger({ home, clock: systemClock, logger });
  for (let nth = 0; nth < WARM_UP; nth++) await ledger.append(entry(`w${nth}`));
  const single = [];
  const bare = [];
  const file = await open(join(home, 'bare'), 'a');
  const bytes = Buffer.alloc(LINE_BYTES, 0x61);
  // In turns: how busy the disk is changes from second to second.
  for (let nth = 0; nth < SINGLE; nth++) {
    single.push(await timed(() => ledger.append(entry(`s${nth}`))));
    bare.push(await timed(() => file.write(bytes).then(() => file.datasync())));
  }
  await file.close();
  const groups = [];
  for (let round = 0; round < ROUNDS; round++)
    groups.push(
      await timed(() =>
        Promise.all(Array.from({ length: AT_ONCE }, (_, at) => ledger.append(entry(`g${round}.${at}`)))),
      ),
    );
  await ledger.close();
  let lines = 0;
  const checkMs = await timed(async () => ({ lines } = await readLedger(home)));
  const groupMs = groups.reduce((sum, tookMs) => sum + tookMs, 0);
  console.log(
    JSON.stringify({
      single: summarise(single),
      bare: summarise(bare),
      groupedPerSecond: (ROUNDS * AT_ONCE * 1_000) / groupMs,
      group: summarise(groups),
      lines,
      checkedPerSecond: (lines * 1_000) / checkMs,
    }),
  );
});
