import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import type { CleanPayload, RawPayload } from '../../../../server/core/result.ts';
import type { Clean, CleanText } from '../../../../server/libraries/redaction/clean.ts';
import { DOORS } from './doors.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const CALL = /redactor(?:\([^)]*\))?\)?\s*\.(?:value|text|payload|exchange)\b/gi;

const uses = new Map(
  readdirSync(join(ROOT, 'server'), { recursive: true, encoding: 'utf8' })
    .map((name) => join('server', name).replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !/^server\/(?:libraries\/redaction|widgets)\//.test(path))
    .map((path) => [path, readFileSync(join(ROOT, path), 'utf8').match(CALL)?.length ?? 0] as const)
    .filter(([, count]) => count > 0),
);

it('only doors call a redactor, and rarely', () => {
  expect([...uses.keys()].sort()).toEqual(Object.keys(DOORS).sort());
  expect([...uses.values()].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(45);
});

type Takes<Wanted, Given> = Given extends Wanted ? true : false;

it('raw text does not compile in place of redacted text', () => {
  const taken: [
    Takes<CleanText, string>,
    Takes<Clean<{ readonly text: string }>, { readonly text: string }>,
    Takes<CleanPayload, RawPayload>,
  ] = [false, false, false];
  expect(taken).not.toContain(true);
});
