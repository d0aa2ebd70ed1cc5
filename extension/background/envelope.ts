import { z } from 'zod';

/** What a native messaging frame holds (`shared/bridge/wire.ts`). */
export const Envelope = z.object({
  channel: z.int().min(0),
  // The owner of the channel parses it; copying every message would be wasteful.
  message: z.custom<object>((value) => typeof value === 'object' && value !== null),
});

/** A JSON-RPC message as far as it tells one from a stream frame; the library checks the rest. */
export const RpcMessage = z.looseObject({ jsonrpc: z.literal('2.0') });
