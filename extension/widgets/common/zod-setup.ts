import { z } from 'zod';

/*
 * Import this before anything that builds a schema: Zod then decides whether to use `new Function`, which hosts'
 * content security policies forbid.
 */
z.config({ jitless: true });
