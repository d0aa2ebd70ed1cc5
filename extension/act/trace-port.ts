import * as z from 'zod/mini';

/** Key in `storage.local`: whether a person wants traces of acts. */
export const WANTED_KEY = 'act_traces_wanted';
/** Key in `storage.session`, so that traces end with the browser; the newest last. */
export const TRACES_KEY = 'act_traces';

const Picture = z.nullable(z.string());
const TracedRequest = z.object({
  method: z.string(),
  url: z.string(),
  /** The status, or the browser's error; null while there was no answer. */
  end: z.nullable(z.union([z.number(), z.string()])),
});
export type TracedRequest = z.infer<typeof TracedRequest>;
const ActTrace = z.object({
  callId: z.string(),
  /** Screenshots as `data:` addresses; null if the browser gave none. */
  before: Picture,
  after: Picture,
  requests: z.array(TracedRequest),
});
export type ActTrace = z.infer<typeof ActTrace>;

/** @param stored the value of {@link TRACES_KEY} */
export const tracesIn = (stored: unknown): readonly ActTrace[] =>
  z.catch(z.array(ActTrace), []).parse(stored ?? []);
