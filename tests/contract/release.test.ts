import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

// What the repository shows to its contributors and users, besides the code.

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const {
  engines,
  scripts,
  private: isPrivate,
} = z
  .object({
    engines: z.object({ node: z.string() }),
    scripts: z.record(z.string(), z.string()),
    private: z.boolean().default(false),
  })
  .parse(JSON.parse(read('package.json')));

describe('.github/workflows/ci.yml', () => {
  const Job = z.object({
    'runs-on': z.string(),
    'timeout-minutes': z.number(),
    strategy: z.object({
      matrix: z.object({ node: z.array(z.number()).optional(), os: z.array(z.string()).optional() }),
    }),
    steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })),
  });
  const { jobs, permissions } = z
    .object({ jobs: z.record(z.string(), Job), permissions: z.unknown() })
    .parse(parse(read('.github/workflows/ci.yml')));
  const stepsOf = (job: z.infer<typeof Job> | undefined): readonly string[] =>
    job?.steps.flatMap(({ run }) => run ?? []) ?? [];

  it('starts with the oldest Node that the package supports', () => {
    const oldest = /^>=(\d+)\./.exec(engines.node)?.[1];
    expect(String(jobs['everything']?.strategy.matrix.node?.[0])).toBe(oldest);
    expect(read('.nvmrc').trim()).toBe(oldest);
  });

  it('only reads the repository, and pins each action to a commit', () => {
    expect(permissions).toEqual({ contents: 'read' });
    const actions = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
    expect(actions.filter((name) => !/^actions\/[a-z-]+@[0-9a-f]{40}$/.test(name))).toEqual([]);
  });

  it('runs npm scripts that exist', () => {
    const named = Object.values(jobs)
      .flatMap(stepsOf)
      .flatMap((step) => [...step.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name));
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

it.runIf(isPrivate)('the changelog describes the first release only, before there is one', () => {
  const headings = [...read('CHANGELOG.md').matchAll(/^(##+) (.*)$/gm)].map(([, , text = '']) => text);
  expect(headings[0]).toBe('Unreleased');
  expect(headings.filter((text) => /^(\[?\d+\.|Changed|Fixed|Removed|Deprecated)/.test(text))).toEqual([]);
});
