import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const Job = z.object({
  strategy: z.object({ matrix: z.object({ node: z.array(z.number()).optional() }) }),
  steps: z.array(z.object({ uses: z.string().optional() })),
});
const { jobs, permissions } = z
  .object({ jobs: z.record(z.string(), Job), permissions: z.unknown() })
  .parse(parse(read('.github/workflows/ci.yml')));

it('CI starts with the oldest Node that the package supports', () => {
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
  const oldest = /^>=(\d+)\./.exec(engines.node)?.[1];
  expect(String(jobs['everything']?.strategy.matrix.node?.[0])).toBe(oldest);
  expect(read('.nvmrc').trim()).toBe(oldest);
});

it('CI only reads the repository, and pins each action to a commit', () => {
  expect(permissions).toEqual({ contents: 'read' });
  const actions = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
  expect(actions.filter((name) => !/^actions\/[a-z-]+@[0-9a-f]{40}$/.test(name))).toEqual([]);
});
