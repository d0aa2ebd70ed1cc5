import { expect, test } from 'vitest';
import { formatNotices } from '../../../scripts/lib/notices.mjs';

const good = { name: 'left', version: '1.0.0', identifier: 'MIT', text: 'The text of left.' };
const noText = (): null => null;

test('each bundled package is listed once, with its licence, its source and its text', () => {
  const right = { name: 'a-right', version: '2.0.0', identifier: 'ISC', text: 'The text of right.\r\n' };
  const [, ...parts] = formatNotices([good, right, good], noText).split(/^-{80}\n\n/m);
  expect(parts).toEqual([
    'a-right@2.0.0 (ISC)\nhttps://www.npmjs.com/package/a-right/v/2.0.0\n\nThe text of right.\n\n',
    'left@1.0.0 (MIT)\nhttps://www.npmjs.com/package/left/v/1.0.0\n\nThe text of left.\n',
  ]);
});

test.each([['GPL-3.0-only'], [undefined]])('the licence %s is not allowed', (licence) => {
  const { identifier: _identifier, ...rest } = good;
  const entry = licence === undefined ? rest : { ...rest, identifier: licence };
  expect(() => formatNotices([entry], noText)).toThrow(
    /left@1\.0\.0 has the licence .*, which is not allowed/,
  );
});
