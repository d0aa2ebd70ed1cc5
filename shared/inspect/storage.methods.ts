import { z } from 'zod';
import { READS_PAGE } from '../core/policy/risks.ts';

export const StorageArea = z.enum(['cookies', 'local', 'session']);

export const CookieFlags = z.strictObject({
  domain: z.string().min(1).max(300).optional(),
  path: z.string().min(1).max(1_000).optional(),
  secure: z.boolean().optional(),
  http_only: z.boolean().optional(),
  same_site: z.enum(['Strict', 'Lax', 'None']).optional(),
  max_age_seconds: z.int().min(1).max(34_560_000).optional().describe('Default: as long as the browser runs'),
});

/** An entry without its value, which may be a sign-in. */
export const StoredEntry = z.looseObject({
  area: StorageArea,
  name: z.string(),
  size_bytes: z.int().min(0),
  domain: z.string().optional(),
  path: z.string().optional(),
  secure: z.boolean().optional(),
  http_only: z.boolean().optional(),
  same_site: z.string().optional(),
  expires: z.string().optional(),
});
export type StoredEntry = z.infer<typeof StoredEntry>;

/** Of a cookie that is sent below one site alone. Older browsers name only the site. */
export const PartitionKey = z.union([
  z.string(),
  z.object({ topLevelSite: z.string(), hasCrossSiteAncestor: z.boolean() }),
]);

/** A cookie as browsers keep it. */
const Cookie = z.object({
  name: z.string(),
  value: z.string(),
  domain: z.string(),
  path: z.string(),
  secure: z.boolean(),
  httpOnly: z.boolean(),
  sameSite: z.string().optional(),
  partitionKey: PartitionKey.optional(),
  /** Seconds since the epoch; less than 0: until the browser ends. */
  expires: z.number(),
});
const Entries = z.array(z.tuple([z.string(), z.string()]));

/** Everything that a page stores of these kinds, with the values. */
export const State = z.object({ cookies: z.array(Cookie), local: Entries, session: Entries });

/** Of a state as JSON: it travels in one message. */
export const STATE_UNITS = 300_000;

export const methods = {
  'storage.export': {
    policy: { judged: 'page', risks: ['evaluate'] },
    params: z.object({ tab_id: z.int() }),
    result: z.object({ url: z.string(), state: State }),
  },
  /** Adds a state to the page's storage. */
  'storage.import': {
    policy: { judged: 'page', risks: ['evaluate'] },
    /** `origin`: the page that it was exported from; no other may import it. */
    params: z.object({ tab_id: z.int(), origin: z.string(), state: State }),
    result: z.object({ url: z.string(), changed: z.int().min(0) }),
  },
  /** Names and sizes of the entries that a tab's page stores. */
  'storage.list': {
    policy: READS_PAGE,
    params: z.object({ tab_id: z.int(), areas: z.array(StorageArea) }),
    result: z.object({ url: z.string(), entries: z.array(StoredEntry), left_out: z.int().min(0) }),
  },
  'storage.change': {
    policy: { judged: 'page', risks: ['evaluate'] },
    params: z.object({
      tab_id: z.int(),
      area: StorageArea,
      /** Null for all. */
      name: z.string().nullable(),
      /** Null deletes. */
      value: z.string().nullable(),
      cookie: CookieFlags,
      /** For a secret: the sites that it is bound to. */
      sites: z.array(z.string()),
    }),
    /** How many entries were set or deleted. */
    result: z.object({ url: z.string(), changed: z.int().min(0) }),
  },
} as const;
