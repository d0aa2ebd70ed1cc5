import type { ChannelOpen, BrowserFacts } from '../../../shared/core/bridge/hello.ts';
import type { MethodParams } from '../../../shared/core/bridge/methods.ts';
import { WIRE_RANGE } from '../../../shared/core/bridge/wire.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import type { CallGuard } from './dispatch.ts';
import type { Handlers, ServerPort } from '../handler.ts';
import type { PolicyPlace } from '../policy/call-policy.ts';
import type { PolicyGuard } from '../../people/worker/guard.ts';
import { ServerChannel } from './server-channel.ts';

/** The clients that a server serves, as `server.clients` names them. */
type Clients = MethodParams<'server.clients'>['clients'];

/** A connected server, for asking it something. */
export interface ConnectedServer {
  readonly port: ServerPort;
  readonly version: string;
  readonly policy: PolicyGuard;
}

export interface ChannelParts {
  readonly setClients: (clients: Clients) => void;
  readonly policy: PolicyGuard;
  /** Aborted when the channel closes. */
  readonly closed: AbortSignal;
  readonly server: ServerPort;
}

interface ServersOptions {
  readonly send: (channel: number, message: object) => void;
  /** The handlers of one channel. */
  readonly handlers: (channel: ChannelParts) => Handlers;
  /** The rules for the calls of one server, by its instance. */
  readonly policy: (server: string) => PolicyGuard;
  /** `clients` are the names of the agents that it serves now. */
  readonly guard?: (clients: () => readonly string[]) => CallGuard;
  readonly onChange: () => void;
  readonly facts: () => Promise<BrowserFacts>;
  /** Notifies the host of a new name of the browser, if it supports that. */
  readonly tellHost: (facts: BrowserFacts) => void;
}

interface Entry {
  readonly channel: ServerChannel;
  readonly closed: AbortController;
  readonly policy: PolicyGuard;
  clients: Clients;
}

/** The servers connected through the host, by channel. */
export class Servers {
  readonly #channels = new Map<number, Entry>();
  /** Host and servers know only the name from their connection. */
  #isRenamed = false;

  constructor(private readonly options: ServersOptions) {}

  open(open: ChannelOpen): void {
    const { channel: id, wire } = open;
    if (this.#channels.has(id)) return this.#drop(id, `The host opened channel ${id} twice.`);
    if (wire < WIRE_RANGE.min || wire > WIRE_RANGE.max)
      return this.options.send(0, {
        type: 'close',
        channel: id,
        reason: `The extension does not speak wire version ${wire}.`,
      });
    const closed = new AbortController();
    const policy = this.options.policy(open.server.instance);
    const setClients = (clients: Clients): void => {
      const entry = this.#channels.get(id);
      if (entry === undefined) return;
      entry.clients = clients;
      this.options.onChange();
    };
    const handlers = (server: ServerPort): Handlers =>
      this.options.handlers({ setClients, policy, closed: closed.signal, server });
    const send = (message: object): void => this.options.send(id, message);
    const guard = this.options.guard?.(() => (this.#channels.get(id)?.clients ?? []).map(({ name }) => name));
    const channel = new ServerChannel({ open, handlers, guard, policy, send });
    this.#channels.set(id, { channel, closed, policy, clients: [] });
    this.options.onChange();
    // The host may have admitted a server before it received the name.
    if (this.#isRenamed) void this.options.facts().then((facts) => tell(channel.port, facts));
  }

  /** A person has named the browser. */
  async renamed(): Promise<void> {
    this.#isRenamed = true;
    const facts = await this.options.facts();
    this.options.tellHost(facts);
    for (const { channel } of this.#channels.values()) tell(channel.port, facts);
  }

  /** A message on a channel that has just been closed crossed the close, and is dropped. */
  receive(id: number, message: unknown): void {
    try {
      this.#channels.get(id)?.channel.receive(message);
    } catch (error) {
      this.#drop(id, toSpillwayError(error).message);
    }
  }

  /** The server has disconnected: its calls are cancelled. */
  close(id: number, reason: string): void {
    const entry = this.#channels.get(id);
    if (entry === undefined) return;
    this.#channels.delete(id);
    end(entry, new SpillwayError('cancelled', `The server disconnected: ${reason}`));
    this.options.onChange();
  }

  /** The port to the host is closed, and all servers with it. */
  closeAll(reason: string): void {
    const entries = [...this.#channels.values()];
    this.#channels.clear();
    for (const entry of entries) end(entry, new SpillwayError('browser_disconnected', reason));
    if (entries.length > 0) this.options.onChange();
  }

  /** Ids of the connected servers: one per process. */
  instances(): string[] {
    return [...this.#channels.values()].map(({ channel }) => channel.server.instance);
  }

  connected(): ConnectedServer[] {
    return [...this.#channels.values()].map(({ channel, policy }) => ({
      port: channel.port,
      version: channel.server.version,
      policy,
    }));
  }

  /** Whether the rules keep a document from one of the agents. */
  async denies(place: PolicyPlace): Promise<boolean> {
    const judged = [...this.#channels.values()].flatMap(({ policy, clients }) =>
      clients.map(({ name }) => policy.denies([place], name)),
    );
    return (await Promise.all(judged)).includes(true);
  }

  summaries() {
    return [...this.#channels.values()].map(({ channel, clients }) => ({
      version: channel.server.version,
      instance: channel.server.instance,
      clients,
    }));
  }

  #drop(id: number, reason: string): void {
    this.options.send(0, { type: 'close', channel: id, reason: reason.slice(0, 300) });
    this.close(id, reason);
  }
}

function end({ channel, closed }: Entry, reason: SpillwayError): void {
  channel.close(reason);
  closed.abort(reason);
}

/** The wire version since which servers answer requests. */
export const ANSWERS_SINCE = 2;

function tell({ wire, request }: ServerPort, { label }: BrowserFacts): void {
  if (wire < ANSWERS_SINCE) return;
  // A server of an older build rejects it, and one that leaves gets it on its return.
  request('browser.named', { label }, AbortSignal.timeout(ANSWER_MS)).catch(() => undefined);
}

const ANSWER_MS = 10_000;
