import type { z } from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import type { find } from '../../../shared/tools/find/manifest.ts';
import type { FindTarget } from '../../../shared/tools/find/target.ts';

type Args = z.output<typeof find.input>;

/** Arguments that say by themselves what is sought, and the engines that they go to. */
const ENGINES = {
  text: 'text',
  label: 'label',
  placeholder: 'placeholder',
  css: 'css',
  xpath: 'xpath',
  test_id: 'testid',
} as const;
const NAMES = ['text', 'label', 'placeholder', 'css', 'xpath', 'test_id'] as const;

/** A selector where words are expected. */
const SELECTOR = /^(?:css|text|role|label|placeholder|testid|xpath)\s*=|^\(*\/\//;

/**
 * What the arguments seek.
 *
 * @throws SpillwayError `invalid_argument` unless exactly one thing is sought
 */
export function targetOf(args: Args): FindTarget {
  const given = NAMES.filter((name) => args[name] !== undefined);
  const ways = [
    ...given,
    ...(args.query === undefined ? [] : ['query']),
    ...(args.role === undefined ? [] : ['role']),
  ];
  if (ways.length !== 1 || (args.name !== undefined && args.role === undefined))
    throw new SpillwayError(
      'invalid_argument',
      'find: pass one of query, role (with name or without), text, label, placeholder, css, xpath and test_id.',
    );
  if (args.query !== undefined)
    return SELECTOR.test(args.query) ? { selector: args.query } : { query: args.query };
  const [only] = given;
  if (only !== undefined) return { parts: [{ engine: ENGINES[only], body: args[only] ?? '' }] };
  return { parts: [{ engine: 'role', body: `${args.role}${nameTest(args.name)}` }] };
}

/** A part of the name, whatever its case. */
const nameTest = (name: string | undefined): string =>
  name === undefined ? '' : `[name*="${name.replace(/["\\]/g, String.raw`\$&`)}"i]`;
