import { paint, runMain } from './lib/steps.mjs';
import { setUp } from './setup.mjs';

/*
 * `npm start [-- URL | FILE]`: set-up, then one page read the way an agent would read it, in every
 * output mode, with an account of what each cost. Without an argument it is a bundled page.
 */
await runMain(async () => {
  await setUp();
  console.log(paint('bold', '\nReading a page as an MCP client'));
  await import('./lib/typescript.mjs');
  const { readOnePage } = await import('./lib/tour.ts');
  await readOnePage(process.argv[2]);
});
