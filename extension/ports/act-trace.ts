import * as z from 'zod/mini';

/** In `storage.local`: whether a person wants traces of acts. */
export const WANTED_KEY = 'act_traces_wanted';
/** In `storage.session`, so that they go with the browser: the newest last. */
export const TRACES_KEY = 'act_traces';

const Picture = z.nullable(z.string());
const TracedRequest = z.object({
  method: z.string(),
  url: z.string(),
  /** Its status, or the browser's word for why it failed; null while it had no answer. */
  end: z.nullable(z.union([z.number(), z.string()])),
});
export type TracedRequest = z.infer<typeof TracedRequest>;
const ActTrace = z.object({
  callId: z.string(),
  /** How the page looked, as `data:` addresses; null where the browser gave no picture. */
  before: Picture,
  after: Picture,
  requests: z.array(TracedRequest),
});
export type ActTrace = z.infer<typeof ActTrace>;

/** @param stored what is stored below {@link TRACES_KEY} */
export const tracesIn = (stored: unknown): readonly ActTrace[] =>
  z.catch(z.array(ActTrace), []).parse(stored ?? []);
