import { z } from 'zod';
import { path, setting } from '../core/flag.ts';

const UPSTREAM_ERROR = { error: 'It takes id=command or id=https://…' };

export const settings = {
  /**
   * The file of upstreams: other servers whose tools are offered too. Undefined: `spillway.json` in the home,
   * if present.
   */
  config: setting({
    flag: '--config <file>',
    variable: 'SPILLWAY_CONFIG',
    help: 'the file of upstreams (default: spillway.json in the home)',
    schema: () => path('a file'),
  }),
  /** Upstreams in addition to those of the file. */
  upstream: setting({
    flag: '--upstream <id=target>',
    help: 'another MCP server whose tools are offered too: id=command args, or id=https://…; can be repeated',
    read: (target) => [target],
    schema: () =>
      z.array(z.string(UPSTREAM_ERROR).regex(/^[\w-]{1,32}=\s*\S/, UPSTREAM_ERROR), UPSTREAM_ERROR),
  }),
};
