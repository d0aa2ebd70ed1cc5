import type { LogSink } from './core/services.ts';
import type { Settings } from './settings.ts';

/** How a setting is called where it was written, for messages: `--mode`, or `SPILLWAY_MODE`. */
export interface SettingNames {
  readonly home: string;
  readonly mode: string;
  readonly tools: string;
}

/** The settings of a server, their sources, and its log. */
export interface AppOptions extends Settings {
  /** Undefined: the flags. */
  readonly names?: SettingNames | undefined;
  readonly logger: LogSink;
}

/** Settings that tools read themselves. */
export const toolSettings = ({
  evidenceKey,
  evidenceTimestampUrl,
  toolSelection,
}: AppOptions): {
  readonly evidenceKey: string | undefined;
  readonly evidenceTimestampUrl: string | undefined;
  readonly toolSelection: AppOptions['toolSelection'];
} => ({
  evidenceKey,
  evidenceTimestampUrl,
  toolSelection,
});
