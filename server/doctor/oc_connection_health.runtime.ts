import type { JsonObject } from '../../shared/base/json.ts';
import type { CallContext } from '../core/context.ts';
import { produceJson } from '../core/calls/produce.ts';
import type { UpstreamSummaries } from '../core/upstreams.ts';
import type { ToolRuntimes } from '../core/registry/definition.ts';
import type { BrowserState } from '../core/services.ts';
import { toSpillwayError } from '../../shared/base/errors.ts';
import type { ToolServices } from '../core/index.ts';

type HealthServices = Pick<ToolServices, 'bridge' | 'store' | 'clock' | 'version' | 'meter' | 'upstreams'>;

/** A browser that has not answered by then is shown as such; the others do not wait for it. */
const PROBE_TIMEOUT_MS = 3_000;

/** `oc_connection_health`: each browser, tested by a live round trip, and the store's usage. */
export const createRuntimes = (services: HealthServices): ToolRuntimes => ({
  oc_connection_health: async (_args: Record<string, never>, context) => {
    const { signal, session } = context;
    // In the bridge's words; here that is an answer, not a failure.
    const problem = await services.bridge.ready({ signal }).then(
      () => undefined,
      (thrown: unknown) => {
        signal.throwIfAborted();
        const { code, message, hint } = toSpillwayError(thrown);
        return { code, message, hint };
      },
    );
    const browsers = services.bridge.browsers();
    const [usage, ...described] = await Promise.all([
      services.store.usage(),
      ...browsers.map((browser) => probe(services, browser, context)),
    ]);
    const { figures, budget } = services.meter.of(session);
    return produceJson({
      server: { version: services.version, pid: process.pid, uptime_s: Math.round(process.uptime()) },
      browsers: described,
      ...(problem === undefined ? {} : { problem }),
      ...describeUpstreams(services.upstreams),
      store: {
        directory: usage.directory,
        handles: usage.handles,
        size_bytes: usage.sizeBytes,
        max_bytes: usage.maxBytes,
      },
      meter: {
        ...figures,
        ...(budget === null ? {} : { budget: { tokens: budget.tokens, left: budget.left } }),
      },
    });
  },
});

/** Other servers whose tools are offered; nothing if there are none. */
function describeUpstreams(upstreams: UpstreamSummaries): JsonObject {
  const states = upstreams
    .report()
    .map(({ id, state, tools, isCut = false, unaccepted, problem }): JsonObject => ({
      id,
      state,
      tools,
      ...(isCut ? { has_more_tools: true } : {}),
      ...(unaccepted === 0 ? {} : { unaccepted }),
      ...(problem === null ? {} : { problem }),
    }));
  return states.length === 0 ? {} : { upstreams: states };
}

async function probe(
  services: HealthServices,
  browser: BrowserState,
  context: CallContext,
): Promise<JsonObject> {
  const base: JsonObject = {
    browser: browser.id,
    name: browser.facts.name,
    version: browser.facts.version,
    ...(browser.facts.label === null ? {} : { label: browser.facts.label }),
    ...(browser.facts.lacks === undefined ? {} : { lacks: [...browser.facts.lacks] }),
    connected: browser.connected,
    extension_version: browser.extensionVersion,
    host_version: browser.hostVersion,
    wire: browser.wire,
    reconnects: browser.reconnects,
  };
  if (!browser.connected) return base;
  const options = { call: null, signal: context.signal, idleTimeoutMs: PROBE_TIMEOUT_MS };
  try {
    const startedAt = services.clock.monotonic();
    await services.bridge.request(browser.id, 'bridge.echo', { value: 'ping' }, options);
    const roundTripMs = services.clock.monotonic() - startedAt;
    const facts = await services.bridge.request(browser.id, 'browser.describe', {}, options);
    const { tabs, window } = facts;
    return { ...base, tabs, ...(window && { window }), round_trip_ms: Math.round(roundTripMs * 100) / 100 };
  } catch (thrown) {
    context.signal.throwIfAborted();
    return { ...base, problem: toSpillwayError(thrown).message };
  }
}
