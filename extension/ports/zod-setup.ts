import { config } from 'zod/mini';

/*
 * Imported before anything that builds a schema: Zod decides while a schema is built whether it may
 * use `new Function`, which the content security policy of an extension refuses.
 */
config({ jitless: true });
