import type { Listeners } from './core/listeners.ts';
import type { Resources, WidgetFiles } from './core/resources.ts';
import type { UpstreamOffers } from './core/upstream-offers.ts';
import type { Services } from './services.ts';

const BUILT: WidgetFiles = {
  read: async (widget) => (await import('./widget-files.ts')).readWidget(widget),
};

/** What adapters offer besides calls, on services that are loaded with the first use. */
export function createResources(parts: {
  readonly services: () => Promise<Services>;
  /** Called with each handle that has ended, once the services are there. */
  readonly ended: Listeners<string>;
  readonly widgets: WidgetFiles | undefined;
  readonly contentBoundaries: boolean;
  readonly upstreams: UpstreamOffers | null;
}): Resources {
  const { services, ended, widgets = BUILT, contentBoundaries, upstreams } = parts;
  return {
    outputs: {
      fetch: async (request, signal) => (await services()).outputs.fetch(request, signal),
      facts: async (handle) => (await services()).outputs.facts(handle),
      onEnd: (listener) => ended.add(listener),
    },
    runs: { get: async (runId) => (await services()).runs.get(runId) },
    widgets,
    contentBoundaries,
    ...(upstreams === null ? {} : { upstreams }),
  };
}
