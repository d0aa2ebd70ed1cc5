import { WIDGET_TEXTS } from '../../shared/widget-texts.ts';
import type { Mode, ModeRow } from '../core/registry/definition.ts';
import { WIDGET_FALLBACK, WIDGET_NAMES, WIDGET_ROWS, INTERNAL_WIDGET_TOOLS, widgetUri } from './widgets.ts';

/** The user watches a run in its widget: the model need not wait for it, nor ask for it in full. */
const STARTS_RUN: Partial<ModeRow> = {
  ...WIDGET_ROWS['crawl'],
  execution: 'async',
  note: 'The user sees the progress and result in a widget: do not poll or repeat them.',
};

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  run: 'Shows the progress of a run, then its items, page by page.',
  page: 'Shows a page as it was read, with a search in it.',
  records: 'Shows records as a table, page by page, each with all its fields.',
};

/**
 * Tools for ChatGPT's Apps SDK: long calls answer a run id at once and a widget shows the rest; what
 * widgets call alone is private.
 */
export const mode: Mode = {
  name: 'openai',
  audience: "ChatGPT's Apps SDK",
  fallback: WIDGET_FALLBACK,
  rows: {
    ...WIDGET_ROWS,
    crawl: STARTS_RUN,
    extract_data: { ...STARTS_RUN, ...WIDGET_ROWS['extract_data'] },
    run_resume: STARTS_RUN,
    run_status: { ...WIDGET_ROWS['run_status'], text: ['run_id', 'status', 'progress'] },
  },
  own: INTERNAL_WIDGET_TOOLS,
  instructions: ['When a call returns a run_id, a widget shows the user its progress.'],
  widgets: {
    mimeType: 'text/html+skybridge',
    metaKeys: ['openai/', WIDGET_TEXTS],
    names: WIDGET_NAMES,
    uri: widgetUri,
    toolMeta: ({ widget, audience }, title) => {
      if (audience === 'widget') return { 'openai/widgetAccessible': true, 'openai/visibility': 'private' };
      if (widget === null) return null;
      return {
        'openai/outputTemplate': widgetUri(widget),
        'openai/toolInvocation/invoking': `${title}…`,
        'openai/toolInvocation/invoked': `${title}: see the widget`,
      };
    },
    textsKey: WIDGET_TEXTS,
    resultMeta: ({ widget }) => (widget === null ? null : { 'openai/outputTemplate': widgetUri(widget) }),
    resourceMeta: (widget) => ({
      'openai/widgetCSP': { connect_domains: [], resource_domains: [] },
      'openai/widgetPrefersBorder': true,
      'openai/widgetDescription': DESCRIPTIONS[widget] ?? '',
    }),
  },
};
