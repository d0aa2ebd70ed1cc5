import { config } from 'zod/mini';

/*
 * Import this before anything that builds a schema: Zod then decides whether to use `new Function`, which an
 * extension's content security policy forbids.
 */
config({ jitless: true });
