/**
 * The search for text of one site on its way to another:
 *
 *     node --import tsx bench/sites.mjs
 *
 * The last line of output is the result as JSON: milliseconds that a read and an act wait for it, CPU to remember a million characters and to search one
 * message, the bytes of the memory then, and of 500 messages from unrelated documents how many were taken for a copy.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AgentTexts } from '../server/flows/agent-texts.ts';
import { createFlows } from '../server/flows/index.ts';

const MAIL = { site: 'https://mail.example', is_private: true };
const MESSAGES = 500;
const ROUNDS = 5;
const sent = (text) => [{ parts: [text], address: null, streams: [] }];
const root = join(import.meta.dirname, '../node_modules');

const documents = readdirSync(root).flatMap((name) => {
  try {
    const text = name.startsWith('.') ? '' : readFileSync(join(root, name, 'README.md'), 'utf8');
    return text.length < 1_500 ? [] : [text];
  } catch {
    return [];
  }
});

async function cpuMs(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const million = documents.join('\n').repeat(10).slice(0, 1_000_000);
const rounds = [];
let agent = new AgentTexts();
for (let round = 0; round < ROUNDS; round += 1) {
  agent = new AgentTexts();
  agent.add([million], [MAIL]);
  rounds.push(await cpuMs(() => agent.ready()));
}
const message = (text) => text.replaceAll(/\[!?\[?[^\]]*\]\S*|```.*?```|https?:\S+/gs, '').slice(300, 500);
const searchMs =
  (await cpuMs(() => documents.slice(0, 100).map((text) => agent.find(sent(message(text)), [])))) / 100;

let wrong = 0;
for (let pair = 0; pair < MESSAGES; pair += 1) {
  const other = new AgentTexts();
  other.add([documents[pair % documents.length]], [MAIL]);
  await other.ready();
  const [of, from] = [
    pair % documents.length,
    (pair * 7 + 3 + Math.floor(pair / documents.length)) % documents.length,
  ];
  const text = message(documents[from]);
  if (text.length >= 100 && of !== from && other.find(sent(text), []).length > 0) wrong += 1;
}
/** The time that a call with a page of 30,000 characters waits for this, and one that types 200 of them elsewhere. */
const CALLS = 200;
const flows = createFlows({ mode: 'ask' });
const session = { id: 's', name: 'bench' };
const waits = { read: 0, act: 0 };
for (let call = 0; call < CALLS; call += 1) {
  const text = million.slice(call * 4_000, call * 4_000 + 30_000);
  const args = { fields: { Message: text.slice(0, 200) } };
  const result = { ok: true, content: [{ type: 'text', text }], state: {}, from: 'https://mail.example/' };
  let before = performance.now();
  flows.arrived({ callId: `r${call}`, tool: 'read_page', args: {}, session }, result);
  waits.read += performance.now() - before;
  await flows.ready(session);
  before = performance.now();
  flows.sourcesOf({ callId: `a${call}`, tool: 'interact', args, session }, args);
  waits.act += performance.now() - before;
}

console.log(
  JSON.stringify({
    readMs: waits.read / CALLS,
    actMs: waits.act / CALLS,
    addMs: rounds.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)],
    searchMs,
    bytes: agent.bytes,
    wrong,
  }),
);
