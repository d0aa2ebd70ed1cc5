import type { Runs } from './runs.ts';
import type { UpstreamOffers } from './upstreams.ts';
import type { OutputPager, OutputStoreInfo } from './services.ts';

/** Stored outputs, as adapters read them outside calls. */
export type OutputResources = OutputPager & Pick<OutputStoreInfo, 'onEnd'>;

/** Built widgets, each a single file of HTML. */
export interface WidgetFiles {
  read(widget: string): Promise<string>;
}

/**
 * What the server holds that adapters offer besides calls. All but the listeners is loaded with its
 * first use.
 */
export interface Resources {
  readonly outputs: OutputResources;
  readonly runs: Pick<Runs, 'get'>;
  readonly widgets: WidgetFiles;
  skill(): Promise<string>;
  /** Resources and prompts of other servers; absent without any. */
  readonly upstreams?: UpstreamOffers;
  /** Nonce fences around page text (`--content-boundaries`). */
  readonly contentBoundaries: boolean;
}
