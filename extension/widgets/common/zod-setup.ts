import { z } from 'zod';

/*
 * Imported before anything that builds a schema: Zod decides while a schema is built whether it may
 * use `new Function`, which the content security policies of hosts refuse.
 */
z.config({ jitless: true });
