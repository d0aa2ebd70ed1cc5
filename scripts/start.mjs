import { parseArgs } from 'node:util';
import { PlainError, paint, runMain } from './lib/steps.mjs';
import { setUp } from './setup.mjs';

/*
 * `npm start [-- [--browser firefox] URL | FILE]`: set-up, then one page read the way an agent would read it, in every
 * output mode, with an account of what each cost. Without an argument it is a bundled page.
 */
await runMain(async () => {
  const { values, positionals } = parseArgs({
    options: { browser: { type: 'string' } },
    allowPositionals: true,
  });
  const { browser = 'chromium' } = values;
  const isFirefox = browser === 'firefox';
  if (!isFirefox && browser !== 'chromium')
    throw new PlainError(`--browser ${browser}: pass chromium or firefox.`);
  await setUp({ browser: !isFirefox, firefox: isFirefox });
  console.log(paint('bold', '\nReading a page as an MCP client'));
  await import('./lib/typescript.mjs');
  const { readOnePage } = await import('./lib/tour.ts');
  await readOnePage(positionals[0], isFirefox ? ['--browser', 'firefox'] : []);
});
