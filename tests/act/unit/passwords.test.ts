import { describe, expect, it } from 'vitest';
import { parseStep } from '../../../shared/act/parse-step.ts';
import { isEditing, typesText } from '../../../extension/act/worker/acting.ts';
import { concealed } from '../../../extension/act/worker/filling.ts';
import { resolveSecrets } from '../../../server/act/interact.runtime.ts';
import { secretsOf } from '../../../server/core/secrets.ts';

it.each([
  ['= Ada', '= (hidden)'],
  ['typed, not chosen: offered are "Ada"', 'typed, not chosen: (hidden)'],
  ['chosen, and does not show "Ada"', 'chosen, and does not show (hidden)'],
  ['shows "Ad"', 'shows (hidden)'],
])('a receipt for a secret hides the text of %s, and keeps what came of it', (note, hidden) =>
  expect(concealed(note)).toBe(hidden),
);

const TYPES = 'fill e1 a,type e1 a,press e1 a,press e1 Shift+A,press e1 Space,press e1 spacebar';
it.each(`${TYPES},press e1 Enter,clear e1,click e1`.split(','))(
  'whether it puts text into a field: %s',
  (text) => expect(typesText(parseStep(text))).toBe(TYPES.includes(text)),
);

const EDITS = 'press Enter,press Tab Shift+Tab ArrowLeft F5 Escape';
const OTHERS = 'press Tab h,press Space,press Control+V,press Shift+Insert,type e1 Enter';
it.each(`${EDITS},${OTHERS}`.split(','))('whether its keys put nothing into any field: %s', (text) =>
  expect(isEditing(parseStep(text))).toBe(EDITS.includes(text)),
);

describe('secrets of a plan', () => {
  const named = <T>(values: Record<string, T>) =>
    Object.entries(values).map(([name, value]) => ({ name, value }));
  const secrets = secretsOf(named({ PASS: 'hunter22', CODE: '482913' }));
  const plan = (steps: readonly string[], fields: Record<string, string | string[] | number> = {}) => ({
    ...{ fields: named(fields), steps: steps.map(parseStep) },
  });

  it('are put in where a field is filled, and their places are listed', () => {
    const Codes = ['x', 'secret:CODE', 'secret:CODE'];
    const fields = { Name: 'Ada', Password: 'secret:PASS', Codes, Size: 5 };
    const given = plan(['fill e1 secret:PASS', 'click e2', 'type e3 secret:CODE'], fields);
    const before = structuredClone(given);
    const resolved = resolveSecrets(given, secrets);
    expect(resolved.fields).toEqual(
      named({ Name: 'Ada', Password: 'hunter22', Codes: ['x', '482913', '482913'], Size: 5 }),
    );
    expect(resolved.steps.map(({ value }) => value)).toEqual(['hunter22', undefined, '482913']);
    expect(resolved.secret).toEqual({ fields: [1, 2], steps: [0, 2] });
    expect(given).toEqual(before);
  });

  it('stay names where nothing is filled, and within other text', () => {
    const given = plan(['wait text secret:PASS', 'upload e1 secret:PASS', 'fill e1 my secret:PASS']);
    const { steps, secret } = resolveSecrets(given, secrets);
    expect(steps).toEqual(given.steps);
    expect(secret).toEqual({ fields: [], steps: [] });
  });

  it('that are made when they are typed are keys until then, which end with the call', async () => {
    const lending = secretsOf([{ name: 'OTP', sites: ['a.test'], compute: () => Promise.resolve('123456') }]);
    const { steps, secret, end } = resolveSecrets(plan(['fill e1 secret:OTP']), lending);
    const [key = ''] = secret.lent ?? [];
    expect(steps[0]?.value).toBe(key);
    expect(secret.bound).toEqual([{ of: 'steps', index: 0, name: 'secret:OTP', sites: ['a.test'] }]);
    expect(await lending.take(key)).toBe('123456');
    end();
    await expect(lending.take(key)).rejects.toMatchObject({ code: 'secret_not_found' });
  });

  it('that do not exist are refused', () => {
    const resolve = (): unknown => resolveSecrets(plan(['fill e1 secret:NOPE']), secrets);
    expect(resolve).toThrow(expect.objectContaining({ code: 'secret_not_found' }));
  });
});
