import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { serverCommand, type ServerFlags } from '../../server/cli/options.ts';
import { parseOptions, SpillwayOptions } from '../../server/library/options.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/library.md'), 'utf8');

test('docs/library.md names every option', () => {
  expect(Object.keys(SpillwayOptions.shape).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('docs/library.md names everything that the package exports', () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: object };
  const names = Object.keys(exports).filter((path) => path !== './package.json');
  expect(names).toHaveLength(3);
  for (const path of names) expect(page).toContain(`\`spillway${path.slice(1)}\``);
});

test('what is left out is what the command line takes without flags', () => {
  const flags: ServerFlags = serverCommand()
    .action(() => undefined)
    .parse([], { from: 'user' })
    .opts();
  // The library's own: where it logs to, and how its options are called in what is said of them.
  const { logger: _logger, names: _names, ...app } = parseOptions({}).app;
  expect(app).toEqual({
    home: flags.home,
    mode: flags.mode,
    outputModeDefault: flags.outputModeDefault,
    handleTtlHours: flags.outputHandleTtlHours,
    sweepIntervalSeconds: flags.outputHandleSweepIntervalSeconds,
    pageBytes: flags.outputPageBytes,
    maxBytes: flags.outputMaxBytes,
    sanitizeContent: flags.sanitizeContent,
    contentBoundaries: flags.contentBoundaries,
    networkCapture: flags.networkCapture === 'on',
    networkBufferBytes: flags.networkBufferBytes,
    syncWaitMs: flags.syncWaitMs,
    launch: null,
  });
});
