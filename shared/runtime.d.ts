/**
 * The few Node and browser globals that shared code uses. Only `shared/tsconfig.json` includes this file: the
 * programs of the server and of the extension see the real types.
 */
interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

declare const AbortController: new () => AbortController;

interface TimerHandle {
  readonly __timer: never;
}

declare function setTimeout(callback: () => void, delayMs: number): TimerHandle;
declare function clearTimeout(timer: TimerHandle | undefined): void;

declare class TextEncoder {
  encode(text: string): Uint8Array;
}

declare class TextDecoder {
  constructor(label?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean });
  readonly encoding: string;
  decode(bytes?: Uint8Array, options?: { readonly stream?: boolean }): string;
}

declare class URL {
  constructor(url: string, base?: string);
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
  readonly host: string;
  readonly pathname: string;
  readonly search: string;
}
