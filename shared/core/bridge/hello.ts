import { z } from 'zod';
import { PRODUCT } from './wire.ts';

export const Identity = z.object({
  product: z.literal(PRODUCT),
  version: z.string().max(64),
  wire: z.object({ min: z.int().min(1), max: z.int().min(1) }),
  /** Extension: a random id per browser profile, kept in its storage. Host, server: per process. */
  instance: z.string().regex(/^[A-Za-z0-9_-]{8,64}$/),
});
export type Identity = z.infer<typeof Identity>;

/** A part of a browser that extensions may lack. */
export type Capability = 'debugger' | 'dialogs';

export const BrowserFacts = z.object({
  /** `Chromium`, `Google Chrome`, `Microsoft Edge`, … */
  name: z.string().max(64),
  version: z.string().max(64),
  /** A label a person gave to the profile, or null. */
  label: z.string().max(64).nullable(),
  /** Each {@link Capability} that it gives to no extension; newer ones too. */
  lacks: z.array(z.string().max(32)).max(20).optional(),
});
export type BrowserFacts = z.infer<typeof BrowserFacts>;

/** The other machine of a server that `spillway remote` has let in; only that command says so. */
const Remote = z
  .string()
  .regex(/^[\w.@:%[\]-]{1,48}$/)
  .optional();

// ---- channel 0: worker ↔ host, in envelopes -------------------------------------------------

export const WorkerHello = z.object({
  type: z.literal('hello'),
  role: z.literal('extension'),
  identity: Identity,
  browser: BrowserFacts,
});
export type WorkerHello = z.infer<typeof WorkerHello>;

export const HostHello = z.object({
  type: z.literal('hello'),
  role: z.literal('host'),
  identity: Identity,
  pid: z.int(),
  command: z.string().max(8_192).optional(),
  /**
   * A server started this browser for itself, so it contains nothing personal. The host knows this from its
   * launcher, which the browser's profile names: no server can claim it for another browser.
   */
  private: z.boolean().optional(),
  /** It accepts {@link BrowserNews}: an older host ends on unknown messages. */
  takes_browser: z.boolean().optional(),
  /** Names of the clients whose settings start Spillway. */
  entries: z.array(z.string().max(100)).max(20).optional(),
});
export type HostHello = z.infer<typeof HostHello>;

/** Host → worker: a server connected; its messages arrive on `channel`. */
export const ChannelOpen = z.object({
  type: z.literal('open'),
  channel: z.int().min(1),
  server: Identity.extend({ pid: z.int(), remote: Remote }),
  /** Wire version that server and worker share. */
  wire: z.int(),
});
export type ChannelOpen = z.infer<typeof ChannelOpen>;

/** In either direction: the channel is closed; all its pending work is cancelled. */
export const ChannelClose = z.object({
  type: z.literal('close'),
  channel: z.int().min(1),
  reason: z.string().max(300),
});
export type ChannelClose = z.infer<typeof ChannelClose>;

/** Host → worker before it ends: wrong caller, wire mismatch. */
const HostRefusal = z.object({ type: z.literal('refused'), code: z.string(), message: z.string().max(500) });

/** Worker → host: a person has named the browser. Only sent to hosts that accept it. */
const BrowserNews = z.object({ type: z.literal('browser'), browser: BrowserFacts });

const Heartbeat = z.object({ type: z.enum(['ping', 'pong']), id: z.int() });
type Heartbeat = z.infer<typeof Heartbeat>;

export const ToWorkerControl = z.union([HostHello, ChannelOpen, ChannelClose, HostRefusal, Heartbeat]);
export type ToWorkerControl = z.infer<typeof ToWorkerControl>;
export const ToHostControl = z.union([WorkerHello, ChannelClose, BrowserNews, Heartbeat]);
export type ToHostControl = z.infer<typeof ToHostControl>;

// ---- the socket's handshake: server ↔ host, in bare frames, before any message ---------------
//
// host → server  HostChallenge     its identity and a nonce
// server → host  ServerProof       its identity, a nonce, HMAC-SHA256(secret, "server\n" nh "\n" ns)
// host → server  HostProof         HMAC-SHA256(secret, "host\n" nh "\n" ns), or a refusal
//
// The secret never crosses; nonces are single-use; each end checks in constant time.

const Nonce = z.string().regex(/^[0-9a-f]{64}$/);
const Proof = z.string().regex(/^[0-9a-f]{64}$/);

export const HostChallenge = z.object({ type: z.literal('challenge'), identity: Identity, nonce: Nonce });

export const ServerProof = z.object({
  type: z.literal('proof'),
  identity: Identity,
  pid: z.int(),
  nonce: Nonce,
  proof: Proof,
  remote: Remote,
});
export type ServerProof = z.infer<typeof ServerProof>;

export const HostProof = z.union([
  z.object({
    type: z.literal('welcome'),
    proof: Proof,
    /** Worker's identity and browser: a host listens only once its worker has said hello. */
    extension: Identity,
    browser: BrowserFacts,
    wire: z.int(),
  }),
  HostRefusal,
]);
export type HostProof = z.infer<typeof HostProof>;

/** `<bridge dir>/<name>.json`. */
export const HostRegistration = z.object({
  product: z.literal(PRODUCT),
  version: z.string(),
  wire: z.object({ min: z.int(), max: z.int() }),
  pid: z.int(),
  /** Start of the process, in the operating system's count, since pids are reused. */
  start_time: z.string().regex(/^\d{1,20}$/),
  socket: z.string(),
  extension_instance: z.string(),
  browser: BrowserFacts,
});
export type HostRegistration = z.infer<typeof HostRegistration>;
