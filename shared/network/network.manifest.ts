import { z } from 'zod';
import { oneRisk } from '../core/policy/call-risks.ts';
import { textField, tabsField, obvious, defineTool } from '../core/tools/manifest.ts';
import { BodyChoice } from './network.methods.ts';

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

const STATUS = '(?:[1-5]\\d\\d|[1-5]xx|[1-5]\\d\\d-[1-5]\\d\\d|failed)';
const STATUSES = new RegExp(`^${STATUS}(?:\\s*,\\s*${STATUS})*$`);

/** Which requests of a capture a slice has: they must match all given fields. */
export const NetworkFilter = z.strictObject({
  id: z.string().max(100).optional().describe('_id of an entry'),
  url: textField(2_000).optional().describe('Part of the url, glob (** crosses /), or /regex/'),
  method: textField(20).optional().describe('GET, POST, …'),
  /** `404`, `4xx`, `400-599`, `failed`, or several of them: `4xx,5xx`. */
  status: z
    .string()
    .regex(STATUSES, 'takes 404, 4xx, 400-599, failed, or several with commas')
    .optional()
    .describe('404, 4xx, 400-599, failed; several with commas'),
  type: z.array(z.string().max(20)).max(RESOURCE_TYPES.length).optional().describe('xhr, fetch, script, …'),
  since: z.string().max(64).optional().describe('ISO time or age: 30s, 5m'),
  until: z.string().max(64).optional().describe('ISO time or age'),
  initiator: z.string().max(2_000).optional().describe('Part of the initiator url'),
  min_bytes: z.int().min(0).optional().describe('Response size'),
  max_bytes: z.int().min(0).optional().describe('Response size'),
  text: textField(1_000).optional().describe('Text in a body'),
});
export type NetworkFilter = z.infer<typeof NetworkFilter>;

const count = z.number().int().min(0);

/** The state of a tab's capture. */
const captureFields = {
  tab: z.string(),
  state: z.enum(['capturing', 'ended']),
  source: z.enum(['debugger', 'web_request', 'response_filter']).nullable(),
  bodies: z.enum(['none', 'text', 'all']),
  ended: z.string().nullable(),
  gaps: count,
};

const text = z.string().optional();
const message = { headers: z.array(z.object({ name: z.string(), value: z.string() })) };

/** Members of a whole HAR entry that people see. */
const ShownEntry = z.object({
  startedDateTime: z.string(),
  time: z.number(),
  request: z.object({
    ...message,
    method: z.string(),
    url: z.string(),
    postData: z.object({ text }).optional(),
  }),
  response: z.object({
    ...message,
    status: z.number(),
    statusText: z.string(),
    content: z.object({ size: z.number(), mimeType: z.string(), text, encoding: text }),
    bodySize: z.number(),
    _transferSize: z.number().optional(),
    _error: text,
  }),
  timings: z.record(z.string(), z.unknown()),
  _error: text,
  _pending: z.boolean().optional(),
  _resourceType: text,
  _initiator: z.object({ type: text, url: text }).optional(),
});

/** HAR entries of a slice, one capture, or all of them with their ring. */
const NetworkFields = z
  .looseObject({
    items: z.array(z.record(z.string(), z.unknown())),
    ...captureFields,
    captures: z.array(z.looseObject(captureFields)),
    all: z.literal(true),
    cleared: z.string(),
    entries: count,
    size_bytes: count,
    max_bytes: count,
    dropped_entries: count,
    dropped_bodies: count,
    lost_lines: count,
    disk_error: z.string().nullable(),
  })
  .partial();

export const network = defineTool({
  name: 'network',
  title: 'Network capture',
  category: 'capture',
  tier: 2,
  order: 40,
  risk: 'reads_page',
  risksOf: (args) => (args['action'] === 'start' ? oneRisk('capture_network')() : []),
  does: 'Captures requests with bodies and returns slices, one item per request.',
  use: 'Call start, let the page work, then slice.',
  avoid: 'Not for page text.',
  keywords: 'traffic xhr api calls http response headers har monitor intercept',
  input: z.strictObject({
    action: z
      .enum(['start', 'stop', 'slice', 'clear', 'status'])
      .default('slice')
      .meta(obvious('What to do')),
    tab: tabsField.optional(),
    bodies: BodyChoice.optional().describe('start: keep (text); slice: include (none)'),
    format: z.enum(['entries', 'har', 'curl']).default('entries').describe('har: one document'),
    filter: NetworkFilter.optional().describe(
      'Keys: id, url, method, status (4xx), type [xhr], since (30s), until, initiator, min_bytes, max_bytes, text',
    ),
    since_act: textField(20).optional().describe('Only what this act caused, such as a7'),
    sort: z
      .string()
      .regex(
        /^-?(time|duration|size|status|url)$/,
        'takes time, duration, size, status or url; -size for descending',
      )
      .optional()
      .describe('time, duration, size, status or url; -size'),
    fields: z.array(textField(100)).max(50).optional().describe('Paths: request.url'),
  }),
  output: NetworkFields,
  shown: {
    value: NetworkFields.extend({
      items: z.array(ShownEntry),
      log: z.object({ entries: z.array(ShownEntry) }),
    }),
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  spills: true,
  faces: { panel: ['Inspector', 'Render', 'Intervention', 'Portal'] },
});

export const manifests = [network] as const;
