import { z } from 'zod';
import { LIMITS } from '../../../shared/base/limits.ts';
import {
  HOST_NAME,
  WIRE_RANGE,
  describeWireMismatch,
  negotiateWire,
} from '../../../shared/core/bridge/wire.ts';
import { type LinkFaultKind, type ShownFault, faultTexts } from '../../ui/words/en/link.ts';
import {
  ToWorkerControl,
  type ChannelClose,
  type ChannelOpen,
  type HostHello,
  type WorkerHello,
} from '../../../shared/core/bridge/hello.ts';
import { messageOf } from '../../../shared/base/message-of.ts';

const Envelope = z.object({
  channel: z.int().min(0),
  // The owner of the channel parses it; copying every message would be wasteful.
  message: z.custom<object>((value) => typeof value === 'object' && value !== null),
});

/**
 * Milliseconds until the next attempt: doubles from `LIMITS.reconnectMinMs` up to `LIMITS.reconnectMaxMs`, the upper
 * half of each step random, so that browsers that lost their hosts together do not reconnect together.
 * @param failures how many attempts have failed in a row, from 1
 * @param random a number in [0, 1)
 */
export function reconnectDelayMs(failures: number, random: () => number = Math.random): number {
  const { reconnectMinMs, reconnectMaxMs } = LIMITS;
  const step = Math.min(reconnectMaxMs, reconnectMinMs * 2 ** Math.min(failures - 1, 16));
  return Math.max(reconnectMinMs, Math.round(step / 2 + (step / 2) * random()));
}

/** The fault of a kind; `message` replaces the general sentence if more is known. */
const linkFault = (kind: LinkFaultKind, message: string | null = null): ShownFault => ({
  kind,
  message,
});

/*
 * Browsers have only sentences for these (chrome/browser/extensions/api/messaging and extensions/browser/api/messaging
 * in Chromium, toolkit/components/extensions/NativeMessaging.sys.mjs in Firefox);
 * each pattern is the part that has not changed over the years.
 */
const patterns: readonly (readonly [RegExp, LinkFaultKind])[] = [
  [/host not found|is not registered|no such native application/i, 'host_not_found'],
  [/is forbidden|permission to use native application/i, 'host_forbidden'],
  [/failed to start/i, 'host_not_started'],
  [/has exited/i, 'host_exited'],
  [/error when communicating/i, 'host_garbled'],
];

/** Maps `runtime.lastError` of a native port that was disconnected to a fault. */
export function faultOfLastError(lastError: string | undefined): ShownFault {
  if (lastError === undefined || lastError === '') return linkFault('host_exited');
  const known = patterns.find(([pattern]) => pattern.test(lastError));
  if (known !== undefined) return linkFault(known[1]);
  return linkFault('unknown', `The browser cannot reach ${HOST_NAME}: ${lastError}`);
}

export const messageOfFault = ({ kind, message }: ShownFault): string =>
  message ?? faultTexts('en').messages[kind];

/** A connection that lasted this long was good: the next loss starts at the shortest delay. */
const STABLE_AFTER_MS = 2_000;

export type LinkState =
  | { readonly kind: 'connecting'; readonly fault: ShownFault | null }
  | { readonly kind: 'connected'; readonly host: HostHello }
  | { readonly kind: 'failed'; readonly fault: ShownFault; readonly retryAt: number };

/** The part of `runtime.Port` that a link needs. */
export interface NativePort {
  postMessage(message: object): void;
  disconnect(): void;
  readonly onMessage: { addListener(listener: (message: unknown) => void): void };
  readonly onDisconnect: { addListener(listener: () => void): void };
}

interface HostLinkOptions {
  /** Opens a native port; may throw. */
  readonly connect: () => NativePort;
  readonly hello: () => Promise<WorkerHello>;
  /** `runtime.lastError` while `onDisconnect` runs. */
  readonly lastError: (port: NativePort) => string | undefined;
  readonly onState: (state: LinkState) => void;
  readonly onOpen: (open: ChannelOpen) => void;
  readonly onClose: (close: ChannelClose) => void;
  readonly onMessage: (channel: number, message: unknown) => void;
  /** The port is closed: all its pending work is lost. */
  readonly onDown: (fault: ShownFault) => void;
}

/**
 * Maintains one port to the native host: hello within a deadline, heartbeat, reconnect with backoff. It handles channel
 * 0; other channels are passed on.
 */
export class HostLink {
  state: LinkState = { kind: 'connecting', fault: null };
  #port: NativePort | null = null;
  #attempt = 0;
  #failures = 0;
  #connectedAt: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pingId = 0;
  #heard = false;

  constructor(private readonly options: HostLinkOptions) {}

  /** Connects now unless a port is open or being opened; ends a wait for the next attempt. */
  wake(): void {
    if (this.#port !== null || (this.#attempt > 0 && this.state.kind === 'connecting')) return;
    void this.#connect();
  }

  /** Posts `message` on `channel`. Throws without a port. */
  send(channel: number, message: object): void {
    if (this.#port === null) throw new Error('The native host is not connected.');
    this.#port.postMessage({ channel, message });
  }

  async #connect(): Promise<void> {
    clearTimeout(this.#timer);
    const attempt = ++this.#attempt;
    this.#set({ kind: 'connecting', fault: this.state.kind === 'failed' ? this.state.fault : null });
    try {
      const hello = await this.options.hello();
      const port = this.options.connect();
      this.#port = port;
      port.onMessage.addListener((message) => {
        if (this.#port === port) this.#receive(message);
      });
      port.onDisconnect.addListener(() => {
        const lastError = this.options.lastError(port);
        if (this.#port === port) this.#fail(faultOfLastError(lastError));
      });
      this.#timer = setTimeout(() => this.#waitOn(), LIMITS.helloNoticeMs);
      this.send(0, hello);
    } catch (error) {
      const message = messageOf(error);
      if (attempt === this.#attempt) this.#fail(linkFault('unknown', message));
    }
  }

  /** An open port means a live process: killing a slow one and starting another does not help. */
  #waitOn(): void {
    const fault = linkFault('host_no_hello');
    this.#timer = setTimeout(() => this.#fail(fault), LIMITS.helloTimeoutMs - LIMITS.helloNoticeMs);
    this.#set({ kind: 'connecting', fault });
  }

  #receive(raw: unknown): void {
    this.#heard = true;
    const envelope = Envelope.safeParse(raw);
    if (!envelope.success) return this.#fail(linkFault('host_garbled'));
    const { channel, message } = envelope.data;
    if (channel === 0) return this.#control(message);
    if (this.state.kind === 'connected') this.options.onMessage(channel, message);
  }

  #control(raw: unknown): void {
    const parsed = ToWorkerControl.safeParse(raw);
    if (!parsed.success) return this.#fail(linkFault('host_garbled'));
    const message = parsed.data;
    if (message.type === 'hello') return this.#greet(message);
    if (message.type === 'refused') {
      const kind = message.code === 'wire_version_mismatch' ? message.code : 'host_refused';
      return this.#fail(linkFault(kind, message.message));
    }
    if (this.state.kind !== 'connected') return this.#fail(linkFault('host_garbled'));
    if (message.type === 'open') return this.#open(message);
    if (message.type === 'close') return this.options.onClose(message);
    if (message.type === 'ping') this.send(0, { type: 'pong', id: message.id });
  }

  /** The host takes a channel for open until it is closed: what opens it must not fail silently. */
  #open(open: ChannelOpen): void {
    try {
      this.options.onOpen(open);
    } catch (thrown) {
      const reason = messageOf(thrown).slice(0, 300);
      this.send(0, { type: 'close', channel: open.channel, reason });
    }
  }

  #greet(host: HostHello): void {
    if (this.state.kind === 'connected') return this.#fail(linkFault('host_garbled'));
    const theirs = host.identity.wire;
    if (negotiateWire(WIRE_RANGE, theirs) === null) {
      const ours = { ...WIRE_RANGE, name: 'The extension' };
      const message = describeWireMismatch(ours, { ...theirs, name: 'the native host' });
      return this.#fail(linkFault('wire_version_mismatch', message));
    }
    clearTimeout(this.#timer);
    this.#connectedAt = performance.now();
    this.#set({ kind: 'connected', host });
    this.#beat();
  }

  /** The browser does not notice a stopped host: only an answer shows that it is alive. */
  #beat(): void {
    this.#heard = false;
    this.send(0, { type: 'ping', id: ++this.#pingId });
    this.#timer = setTimeout(() => {
      if (this.#heard) this.#beat();
      else this.#fail(linkFault('host_silent'));
    }, LIMITS.heartbeatIntervalMs);
  }

  #fail(fault: ShownFault): void {
    clearTimeout(this.#timer);
    const port = this.#port;
    this.#port = null;
    port?.disconnect();
    const lastedMs = this.#connectedAt === null ? 0 : performance.now() - this.#connectedAt;
    this.#connectedAt = null;
    this.#failures = lastedMs >= STABLE_AFTER_MS ? 1 : this.#failures + 1;
    const delayMs = reconnectDelayMs(this.#failures);
    this.#timer = setTimeout(() => void this.#connect(), delayMs);
    this.#set({ kind: 'failed', fault, retryAt: Date.now() + delayMs });
    this.options.onDown(fault);
  }

  #set(state: LinkState): void {
    this.state = state;
    this.options.onState(state);
  }
}
