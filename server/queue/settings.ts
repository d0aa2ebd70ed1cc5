import { z } from 'zod';
import { path, setting } from '../core/flag.ts';

const QUEUE_ERROR = 'It takes redis://host:port or rediss://host:port, with a user but without a password';
const QUEUE_URL = /^rediss?:\/\/(?:[^\s:@/]+@)?(?:\[[\da-f:.]+\]|[^\s:@/?#]+)(?::\d{1,5})?(?:\/\d{0,3})?$/i;

export const settings = {
  /** Redis or Valkey, through which `spillway worker` gets pages. Undefined: they are read here. */
  queue: setting({
    flag: '--queue <url>',
    variable: 'SPILLWAY_QUEUE',
    help: 'Redis or Valkey through which spillway worker reads pages: redis://… or rediss://…',
    schema: () => z.string({ error: QUEUE_ERROR }).regex(QUEUE_URL, QUEUE_ERROR),
  }),
  queuePasswordFile: setting({
    flag: '--queue-password-file <file>',
    variable: 'SPILLWAY_QUEUE_PASSWORD_FILE',
    help: 'with --queue: the file (0600) with its password',
    schema: () => path('a file'),
  }),
  queueKeyFile: setting({
    flag: '--queue-key-file <file>',
    variable: 'SPILLWAY_QUEUE_KEY_FILE',
    help: 'the file (0600) with the key that home and workers share (default: queue/key in the home)',
    schema: () => path('a file'),
  }),
};
