import type { Mode } from '../registry/definition.ts';
import { WIDGET_FALLBACK, WIDGET_NAMES, INTERNAL_WIDGET_TOOLS, widgetUri, withWidgets } from './widgets.ts';

/**
 * Tools for hosts of the MCP Apps extension (2026-01-26): `ui://` resources in addition to the plain tools.
 * Models get the same answers as in the default mode; long calls wait.
 */
export const mode: Mode = {
  name: 'apps',
  audience: 'hosts of the MCP Apps extension',
  fallback: WIDGET_FALLBACK,
  rows: withWidgets({
    crawl: {
      description:
        "Reads linked pages in the user's session, one item per page; the user sees them as they come. A long crawl returns a run_id for run_output. Not for one page.",
    },
    run_status: {
      description:
        'Shows the progress of a run, and its items to the user. Not for its items: use run_output.',
    },
  }),
  own: INTERNAL_WIDGET_TOOLS,
  instructions: ['The user also sees the progress and results of runs.'],
  widgets: {
    mimeType: 'text/html;profile=mcp-app',
    metaKeys: ['ui', 'ui/'],
    names: WIDGET_NAMES,
    uri: widgetUri,
    toolMeta: ({ widget, audience }) => {
      if (audience === 'widget') return { ui: { visibility: ['app'] } };
      if (widget === null) return null;
      return { ui: { resourceUri: widgetUri(widget), visibility: ['model', 'app'] } };
    },
    resultMeta: () => null,
    textsKey: null,
    resourceMeta: () => ({
      ui: { csp: { connectDomains: [], resourceDomains: [], frameDomains: [] }, prefersBorder: true },
    }),
  },
};
