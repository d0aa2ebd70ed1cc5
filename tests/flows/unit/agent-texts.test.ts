import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AgentTexts } from '../../../server/flows/agent-texts.ts';
import { sample } from '../../support/depth.ts';

const MAIL = { site: 'https://mail.example', is_private: true };
const sent = (text: string) => [{ parts: [text], address: null, streams: [] }];

/** Documents of packages, of which no two share the beginning of their names. */
function documents(): readonly string[] {
  const root = join(import.meta.dirname, '../../../node_modules');
  const families = new Set<string>();
  return readdirSync(root).flatMap((name) => {
    const family = name.split(/[-.]/)[0] ?? '';
    if (name.startsWith('@') || name.startsWith('.') || families.has(family)) return [];
    try {
      const text = readFileSync(join(root, name, 'README.md'), 'utf8');
      if (text.length < 1_500) return [];
      families.add(family);
      return [text];
    } catch {
      return [];
    }
  });
}

it('of 100 messages from unrelated pages, at most two are taken for text of a private one', async () => {
  const texts = documents();
  const wrong: string[] = [];
  for (let pair = 0; pair < 100; pair += 1) {
    const page = texts[pair % texts.length] ?? '';
    const other = texts[(pair * 7 + 3 + Math.floor(pair / texts.length)) % texts.length] ?? '';
    if (page === other) continue;
    const agent = new AgentTexts();
    agent.add([page], [MAIL]);
    await agent.ready();
    // Prose from the middle, as a person would send it: without badges and links.
    const message = other.replaceAll(/\[!?\[?[^\]]*\]\S*|```.*?```|https?:\S+/gs, '').slice(300, 500);
    if (message.length < 100) continue;
    if (agent.find(sent(message), []).length > 0)
      wrong.push(JSON.stringify(agent.find(sent(message), [message])) + message);
  }
  expect(wrong.length, wrong.join('\n---\n')).toBeLessThanOrEqual(2);
}, 60_000);

it('keeps at most 16 MiB, and a site of which it could not keep all counts as a source of everything', async () => {
  const agent = new AgentTexts(1 << 14);
  const text = Array.from({ length: 40_000 }, (_, at) => `word${at * 7919}`).join(' ');
  agent.add([text], [MAIL]);
  await agent.ready();
  expect(agent.bytes).toBeLessThanOrEqual((1 << 14) * 8);
  expect(agent.find(sent('anything'), [])).toEqual([
    expect.objectContaining({ site: MAIL.site, how: 'part' }),
  ]);
});

it('public text goes before private text when the table is full', async () => {
  const agent = new AgentTexts(1 << 14);
  const secret = 'The board meets on Thursday to discuss the sale of the northern branch.';
  agent.add([secret], [MAIL]);
  const text = Array.from({ length: 30_000 }, (_, at) => `word${at * 7919}`).join(' ');
  agent.add([text], [{ site: 'https://news.example', is_private: false }]);
  await agent.ready();
  expect(agent.find(sent(secret), [])).toEqual([expect.objectContaining({ site: MAIL.site, how: 'text' })]);
});

const LARGE: readonly (readonly [name: string, make: () => string])[] = [
  ['50 MB', () => `${'lorem ipsum dolor sit amet '.repeat(40)}${' '.repeat(50_000_000)}`],
  ['a million tokens', () => Array.from({ length: 1_000_000 }, (_, at) => `AB-${at * 7}`).join(' ')],
  [
    'hostile Unicode',
    () => `${'\u{fdfa}'.repeat(50_000)}${'a\u{301}'.repeat(50_000)}\u{d800}${'👩‍👩‍👧'.repeat(20_000)}`,
  ],
];

it.each(sample(LARGE, 2))(
  'a text of %s is kept in part, and the call after it is judged',
  async (_name, make) => {
    const text = make();
    const agent = new AgentTexts();
    agent.add([text], [MAIL]);
    await agent.ready();
    expect(agent.bytes).toBeLessThanOrEqual(16 * 1024 * 1024);
    expect(() => agent.find(sent(text.slice(0, 100_000)), [])).not.toThrow();
  },
  60_000,
);
