import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { SITES } from '../../../fixtures/serve.ts';
import { launched } from '../../support/launched.ts';

interface Case {
  readonly title: string;
  readonly args: Record<string, unknown>;
  /** Records, `BASE` standing for the fixture server's address. */
  readonly expected?: unknown;
  /** Of the first record, with `explain`. */
  readonly strategy?: string;
  readonly notes?: readonly string[];
  readonly code?: string;
  readonly message?: string;
}

interface Explained {
  readonly record: unknown;
  readonly strategy: string;
  readonly fields: Record<string, { readonly strategy: string; readonly confidence: number }>;
}

const ZOOS = ['structured-data', 'tables', 'cards'];
const PAGES = ZOOS.flatMap((zoo) =>
  readdirSync(join(SITES, zoo))
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({ page: `${zoo}/${file.replace(/\.json$/, '')}`, cases: casesOf(zoo, file) })),
);

function casesOf(zoo: string, file: string): Case[] {
  const cases: Case[] = JSON.parse(readFileSync(join(SITES, zoo, file), 'utf8'));
  return cases;
}

const { site, server } = await launched();

const withBase = (expected: unknown): unknown =>
  JSON.parse(JSON.stringify(expected).replaceAll('BASE/', `${site.url}/`));

describe.each(PAGES)('$page', ({ page, cases }) => {
  beforeAll(async () => {
    await server.call('navigate', { url: `${site.url}/${page}.html` });
  });

  test.each(cases)('$title', async ({ args, expected, strategy, notes = [], code, message = '' }) => {
    const answer = await server.call('extract_data', args);
    expect(answer.code(), answer.text).toBe(code);
    expect(answer.text + answer.notes).not.toContain('canary');
    if (code !== undefined) {
      expect(answer.text).toContain(message);
      return;
    }
    const given = answer.json<unknown>();
    const items = Array.isArray(given) ? given : [given];
    const explained: readonly Explained[] = args['explain'] === true ? items : [];
    const records = args['explain'] === true ? explained.map(({ record }) => record) : items;
    expect(args['multiple'] === true ? records : records[0]).toEqual(withBase(expected));
    if (strategy !== undefined) expect(explained[0]?.strategy).toBe(strategy);
    for (const note of notes) expect(answer.notes).toContain(note);
  });
});
