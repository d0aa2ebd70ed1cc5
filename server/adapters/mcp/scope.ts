import type { ClientSession } from '../../core/context.ts';
import type { Executor } from '../../core/calls/executor.ts';
import type { LogSource } from '../../core/log.ts';
import type { Resources } from '../../core/upstreams.ts';
import type { Logger } from '../../core/services.ts';

export interface McpServerOptions {
  readonly executor: Executor;
  readonly version: string;
  readonly logger: Logger;
  /** Tools and categories that this session lists; default: those of the server. */
  readonly selectors?: readonly string[];
  /** Stored outputs, runs and widgets. Without them no resource is served. */
  readonly resources?: Resources;
  readonly logs?: LogSource;
  /** Called when a client has identified itself, and when it has disconnected. */
  readonly onClient: (client: { readonly name: string; readonly version: string } | null) => void;
  /** Called with work that continues after its request is answered: tasks, and calls that wait for approval. */
  readonly onWork?: (pending: Promise<unknown>) => void;
}

/** The session of a request, and the server's options. */
export interface McpScope {
  readonly session: ClientSession;
  readonly options: McpServerOptions;
}
