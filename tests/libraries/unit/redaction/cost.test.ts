import { expect, it } from 'vitest';
import { redactor } from './chunks.ts';
import { sample } from '../../../support/depth.ts';

/** Openings of every rule, to be repeated: they make a rule start and fail. */
const OPENINGS = [
  'eyJaaaaaaaaaaaa.',
  'sk-',
  '12345678:',
  'password:"',
  '"token":\\\\"',
  'token=token=',
  '://a:b',
  'Basic aaaaaaaa ',
  'cookie: a=',
  'csrf_token" value="',
  '4111 1111 ',
  'password&quot;:&quot;',
  '-----BEGIN PRIVATE KEY-----\n',
  `${'A'.repeat(64)}\n`,
  'ignore the previous a b c ',
  'you are now a ',
  '👩\u200d',
  '🏴\u{E0067}',
  ' ',
  'x',
];

/** How often, and of how much text they matched. */
function measure(text: string): { calls: number; matchedUnits: number } {
  const measured = { calls: 0, matchedUnits: 0 };
  const original = RegExp.prototype.exec;
  // `test`, `replace`, `search` and `matchAll` also call a replaced `exec`.
  RegExp.prototype.exec = function exec(this: RegExp, subject: string): RegExpExecArray | null {
    const match = original.call(this, subject);
    measured.calls += 1;
    measured.matchedUnits += match?.[0].length ?? 0;
    return match;
  };
  try {
    redactor.text(text);
  } finally {
    RegExp.prototype.exec = original;
  }
  return measured;
}

it.each(sample(OPENINGS, 4))('cost grows with the size of text made of %j and no faster', (opening) => {
  const repeat = (units: number): string => opening.repeat(Math.ceil(units / opening.length));
  const once = measure(repeat(50_000));
  const twice = measure(repeat(100_000));
  expect(twice.calls).toBeLessThan(once.calls * 2.2 + 200);
  expect(twice.matchedUnits).toBeLessThan(once.matchedUnits * 2.2 + 40_000);
  // No opening makes the rules scan the same text repeatedly.
  expect(twice.matchedUnits).toBeLessThan(100_000 * 120);
});

it('cost searches a long line for its breaks no more than once or twice', () => {
  const original = String.prototype.lastIndexOf;
  let searchedUnits = 0;
  String.prototype.lastIndexOf = function lastIndexOf(this: string, part: string, position?: number): number {
    const found = original.call(this, part, position);
    searchedUnits += Math.min(position ?? Infinity, this.length) - Math.max(found, 0);
    return found;
  };
  const text = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7b'.repeat(50_000);
  try {
    redactor.text(text);
  } finally {
    String.prototype.lastIndexOf = original;
  }
  expect(searchedUnits).toBeLessThan(text.length * 3);
});
