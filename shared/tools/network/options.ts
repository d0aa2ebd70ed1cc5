import { z } from 'zod';

/** Types of `Network.ResourceType` in lower case. */
export const RESOURCE_TYPES = [
  'document',
  'stylesheet',
  'image',
  'media',
  'font',
  'script',
  'texttrack',
  'xhr',
  'fetch',
  'prefetch',
  'eventsource',
  'websocket',
  'manifest',
  'signedexchange',
  'ping',
  'cspviolationreport',
  'preflight',
  'other',
] as const;

/** Which requests of a capture a slice holds: all that is given has to fit. */
export const NetworkFilter = z.strictObject({
  id: z.string().max(100).optional().describe('_id of an entry'),
  url: z.string().min(1).max(2_000).optional().describe('Part of the url, glob (** crosses /), or /regex/'),
  method: z.string().min(1).max(20).optional().describe('GET, POST, …'),
  /** `404`, `4xx`, `400-599`, `failed`. */
  status: z
    .string()
    .regex(/^([1-5]\d\d|[1-5]xx|[1-5]\d\d-[1-5]\d\d|failed)$/, 'takes 404, 4xx, 400-599 or failed')
    .optional()
    .describe('404, 4xx, 400-599, failed'),
  type: z.array(z.string().max(20)).max(RESOURCE_TYPES.length).optional().describe('xhr, fetch, script, …'),
  since: z.string().max(64).optional().describe('ISO time or age: 30s, 5m'),
  until: z.string().max(64).optional().describe('ISO time or age'),
  initiator: z.string().max(2_000).optional().describe('Part of the initiator url'),
  min_bytes: z.int().min(0).optional().describe('Response size'),
  max_bytes: z.int().min(0).optional().describe('Response size'),
  text: z.string().min(1).max(1_000).optional().describe('Text in a body'),
});
export type NetworkFilter = z.infer<typeof NetworkFilter>;
