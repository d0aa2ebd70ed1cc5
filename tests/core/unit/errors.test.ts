import { expect, test } from 'vitest';
import { SpillwayError } from '../../../shared/base/errors.ts';

test.each([
  ['The upstream said: no such page..', 'The upstream said: no such page.'],
  ['It asked: continue?. Call again.', 'It asked: continue? Call again.'],
  ['See ../a.txt, or .. for the folder above.', 'See ../a.txt, or .. for the folder above.'],
  ['Wait...', 'Wait...'],
])('a message with words of another program ends its sentences once: %s', (said, shown) => {
  expect(new SpillwayError('upstream_error', said, { hint: said })).toMatchObject({
    message: shown,
    hint: shown,
  });
});
