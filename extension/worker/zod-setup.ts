import { z } from 'zod';

/*
 * Imported before anything that builds a schema: Zod decides while a schema is built whether it may
 * use `new Function`, which the content security policy of an extension refuses.
 */
z.config({ jitless: true });
