import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { serverCommand, type ServerFlags } from '../../../server/cli/options.ts';

function parse(...args: string[]): ServerFlags {
  const program = serverCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  return program.parse(args, { from: 'user' }).opts<ServerFlags>();
}

describe('the home', () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    [undefined, join(homedir(), '.spillway')],
    // An empty variable is one that is not set, and never the current folder.
    ['', join(homedir(), '.spillway')],
    ['/srv/spillway', '/srv/spillway'],
    ['some/where', resolve('some/where')],
  ])('of SPILLWAY_HOME=%s is %s', (value, home) => {
    vi.stubEnv('SPILLWAY_HOME', value);
    expect(parse().home).toBe(home);
  });

  it('of --home goes before the variable', () => {
    vi.stubEnv('SPILLWAY_HOME', '/srv/spillway');
    expect(parse('--home', 'Büro und Heim').home).toBe(resolve('Büro und Heim'));
  });

  it('is not empty', () => {
    expect(() => parse('--home', '')).toThrow(expect.objectContaining({ code: 'commander.invalidArgument' }));
  });
});
