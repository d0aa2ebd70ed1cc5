import { expect, it } from 'vitest';
import { temporaryHome } from '../../support/home.ts';
import { runProgram, startOf } from '../../support/traced.ts';

const program = await startOf(new URL('../../support/homes-program.ts', import.meta.url));

it('servers that begin in a new home at once all get its database', async () => {
  const folder = await temporaryHome();
  const ended = await Promise.all(Array.from({ length: 4 }, () => runProgram(program(folder, '60'))));
  expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    Array.from({ length: 4 }, () => ({ code: 0, stderr: '' })),
  );
});
