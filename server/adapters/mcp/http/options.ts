import { SpillwayError } from '../../../../shared/errors.ts';
import type { ToolRegistry } from '../../../core/registry/registry.ts';
import { checkSelectors, parseSelectors } from '../../../core/registry/selection.ts';
import type { Refusal } from '../../../toolkit/http-guard.ts';
import type { McpServerOptions } from '../scope.ts';
import type { TakeAnswer } from './continue.ts';

const PARAMETER = 'tools';

/**
 * What the address of an initialize request selects (`/mcp?tools=read,crawl`, once or repeated), or
 * why it is refused. Without a word the session lists what the server was started with.
 */
export function readSelectors(
  url: string | undefined,
  registry: ToolRegistry,
): { readonly selectors?: readonly string[] } | Refusal {
  const query = (url ?? '').split('?').slice(1).join('?');
  const selectors = parseSelectors(new URLSearchParams(query).getAll(PARAMETER).join(','));
  if (selectors === undefined) return {};
  try {
    checkSelectors(registry, selectors, `?${PARAMETER}=`);
  } catch (thrown) {
    if (!(thrown instanceof SpillwayError)) throw thrown;
    return { status: 400, message: `${thrown.message} ${thrown.hint}`, error: thrown.toWire() };
  }
  return { selectors };
}

/** Options of {@link serveHttp}; the rest holds for the server of each session. */
export interface HttpOptions extends Omit<McpServerOptions, 'onClient' | 'onWork'> {
  /** 0 takes a free one. */
  readonly port: number;
  /** Null serves every caller that passes the Host and Origin checks. */
  readonly token: string | null;
  /** After this long without work, a request or a listener, a session ends. */
  readonly idleMs?: number;
  /** Takes answers of people for programs. */
  readonly onContinue?: TakeAnswer;
  /** How long the body of a request may take, and not quite twice that. */
  readonly bodyMs?: number;
  /** Sessions that are kept at most. One more ends the one without work that was used longest ago. */
  readonly maxSessions?: number;
  readonly onClients: (clients: readonly { readonly name: string; readonly version: string }[]) => void;
}
