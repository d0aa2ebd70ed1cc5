/**
 * The wire between server, native host and extension worker.
 *
 *     server ══ unix socket / named pipe ══ native host ══ native messaging ══ extension worker
 *
 * Both legs use the same frames: a 32-bit length (native byte order) and that many bytes of JSON,
 * at most `LIMITS.bridgeFrameBytes`. On the socket a frame is a bare *message*; on native messaging
 * it is an *envelope* `{"channel":N,"message":…}`, keys in this order, so that the host routes by
 * the prefix and never parses what it carries. Channel 0 is between host and worker themselves
 * (`control.ts`); each connected server has a channel of its own from 1 upwards.
 *
 * A message on a server's channel is either JSON-RPC 2.0 (it has `jsonrpc`; methods in
 * `methods.ts`; `$/cancelRequest` and `$/progress` as in the Language Server Protocol) or a
 * stream frame (it has `stream`; `streams.ts`). Since version 2 the worker sends requests, too
 * (`server-methods.ts`), and a request says which call it is made for (`CALL_SCOPE`).
 */

/** The product's name in every hello: another product on the same port is refused. */
export const PRODUCT = 'spillway';

/** Name of the native messaging host. */
export const HOST_NAME = 'com.spillway.host';

/** Fixed by the manifest's `key`. */
export const EXTENSION_ID = 'bnboliiaafojflkfnohnppmemdphbhek';

/** Firefox's name of the extension, fixed by its manifest. */
export const FIREFOX_ID = 'spillway@spillway.dev';

/** The version of this build, and the oldest one that it still supports (N and N−1). */
export const WIRE_VERSION = 2;
export const WIRE_VERSION_OLDEST = 1;

/** The versions one end can speak. */
export interface WireRange {
  readonly min: number;
  readonly max: number;
}

export const WIRE_RANGE: WireRange = { min: WIRE_VERSION_OLDEST, max: WIRE_VERSION };

/** The highest version that both ends support, or null. */
export function negotiateWire(ours: WireRange, theirs: WireRange): number | null {
  const version = Math.min(ours.max, theirs.max);
  return version >= Math.max(ours.min, theirs.min) ? version : null;
}

/** Says which side has to be updated when {@link negotiateWire} returned null. */
export function describeWireMismatch(
  ours: WireRange & { name: string },
  theirs: WireRange & { name: string },
): string {
  const older = ours.max < theirs.min ? ours : theirs;
  return (
    `${ours.name} speaks wire version ${ours.min} to ${ours.max}, ` +
    `${theirs.name} ${theirs.min} to ${theirs.max}: update ${older.name}.`
  );
}
