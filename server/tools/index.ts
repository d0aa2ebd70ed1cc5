import type { ToolName } from '../../shared/tools/index.ts';
import type { ToolRuntime } from '../core/runtime.ts';
import type { Bridge, Clock, Journal, OutputPager, OutputStoreInfo } from '../core/services.ts';

/** What the runtimes may be given; each takes only what it uses. */
export interface ToolServices {
  readonly bridge: Bridge;
  readonly pager: OutputPager;
  readonly store: OutputStoreInfo;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly version: string;
}

type RuntimeLoader = (services: ToolServices) => Promise<ToolRuntime>;

/** One line a tool: its runtime is loaded with its first call. */
export const RUNTIMES: Readonly<Record<ToolName, RuntimeLoader>> = {
  tabs: async (services) => (await import('./tabs/runtime.ts')).createTabs(services),
  navigate: async (services) => (await import('./navigate/runtime.ts')).createNavigate(services),
  read_page: async (services) => (await import('./read_page/runtime.ts')).createReadPage(services),
  oc_output_fetch: async (services) =>
    (await import('./oc_output_fetch/runtime.ts')).createOutputFetch(services),
  oc_journal: async (services) => (await import('./oc_journal/runtime.ts')).createOcJournal(services),
  oc_connection_health: async (services) =>
    (await import('./oc_connection_health/runtime.ts')).createConnectionHealth(services),
};
