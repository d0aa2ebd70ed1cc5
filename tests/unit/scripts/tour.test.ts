import { expect, test } from 'vitest';
import { readOnePage } from '../../../scripts/lib/tour.ts';

test.each([
  ['a missing file', '/nowhere/nothing.html', 'There is no file'],
  ['another scheme', 'ftp://127.0.0.1/', 'is not an http or https url'],
  ['no address at all', 'https://', 'is not an http or https url'],
])('npm start refuses %s before a browser starts', async (_name, target, message) => {
  await expect(readOnePage(target)).rejects.toThrow(message);
});
