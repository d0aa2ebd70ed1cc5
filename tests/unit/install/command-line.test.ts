import { execFileSync } from 'node:child_process';
import fc from '../../support/property.ts';
import { describe, expect, it } from 'vitest';
import { commandLine } from '../../../server/bridge/install/command-line.ts';
import { isPosix } from '../../support/posix.ts';

describe('a command line', () => {
  it.each([
    [['/usr/bin/node', '/a-b/dist/index.js', '--x=1'], '/usr/bin/node /a-b/dist/index.js --x=1'],
    [['/My Apps/node', "it's"], String.raw`'/My Apps/node' 'it'\''s'`],
    [['$HOME', '~', '', 'a\\b'], String.raw`'$HOME' '~' '' 'a\b'`],
  ])('of %j for a POSIX shell', (words, line) => {
    expect(commandLine(words, 'linux')).toBe(line);
  });

  it('of a Windows path', () => {
    expect(
      commandLine([String.raw`C:\Program Files\nodejs\node.exe`, String.raw`C:\s\index.js`], 'win32'),
    ).toBe(String.raw`"C:\Program Files\nodejs\node.exe" C:\s\index.js`);
  });

  it.runIf(isPosix)('is the same words again to a shell', () => {
    const word = fc.string({ unit: 'binary-ascii' }).filter((text) => !text.includes('\0'));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 4 }), (words) => {
        const script = `${commandLine([process.execPath, '-e', 'process.stdout.write(JSON.stringify(process.argv.slice(1)))', '--', ...words], 'linux')}`;
        expect(JSON.parse(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }))).toEqual(words);
      }),
      { numRuns: 12 },
    );
  });
});
