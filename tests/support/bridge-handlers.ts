import type {
  MethodName,
  MethodParams,
  MethodResult,
  StreamMethodName,
  StreamMethodParams,
} from '../../shared/core/bridge/methods.ts';
import type { BrowserId } from '../../server/core/services.ts';

export type FakeCall = { readonly browser: BrowserId; readonly signal: AbortSignal };

/**
 * The answers of a fake browser: one entry per method, as in the extension's worker. A stream yields its chunks and
 * returns its result.
 */
export type BridgeHandlers = {
  readonly [M in Exclude<MethodName, StreamMethodName>]?: (
    params: MethodParams<M>,
    call: FakeCall,
  ) => Promise<MethodResult<M>>;
} & {
  readonly [M in StreamMethodName]?: (
    params: StreamMethodParams<M>,
    call: FakeCall,
  ) => AsyncGenerator<string, MethodResult<M>>;
};
