import type { OutputMode } from '../shared/output/mode.ts';
import type { Logger } from './core/services.ts';

/** How a setting is called where it was written, for messages: `--mode`, or `SPILLWAY_MODE`. */
export interface SettingNames {
  readonly mode: string;
  readonly tools: string;
}

/** Every setting of a server, parsed and bounded by the command line. */
export interface AppOptions {
  readonly home: string;
  readonly mode: string;
  /** Tools and categories that sessions list; undefined lists the default set. */
  readonly tools?: readonly string[] | undefined;
  /** Undefined: the flags. */
  readonly names?: SettingNames | undefined;
  readonly outputModeDefault: OutputMode;
  readonly handleTtlHours: number;
  readonly sweepIntervalSeconds: number;
  readonly pageBytes: number;
  readonly maxBytes: number;
  readonly sanitizeContent: boolean;
  readonly contentBoundaries: boolean;
  /** Captures the network of every tab that a client opens or names, from the start. */
  readonly networkCapture: boolean;
  readonly networkBufferBytes: number;
  readonly syncWaitMs: number;
  readonly launch: { readonly headless: boolean; readonly browserPath: string | null } | null;
  readonly logger: Logger;
}
