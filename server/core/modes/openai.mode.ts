import { WIDGET_TEXTS } from '../../../shared/core/widget-texts.ts';
import { type Mode, type ModeRow, formatMember, withLines } from '../registry/definition.ts';
import { clean } from '../../libraries/redaction/clean.ts';
import { WIDGET_FALLBACK, WIDGET_NAMES, INTERNAL_WIDGET_TOOLS, widgetUri, withWidgets } from './widgets.ts';

/** The user watches a run in its widget: the model need not wait for it, nor read all of it. */
const STARTS_RUN = {
  execution: 'async',
  receipt: ({ run_id: runId, status }) =>
    clean`${formatMember(runId)} is ${formatMember(status)}. A widget shows the user its progress and result: do not poll it or repeat them.`,
} satisfies Partial<ModeRow>;

const ROWS = withWidgets({
  crawl: {
    ...STARTS_RUN,
    description:
      "Reads linked pages in the user's session, one item per page. Returns a run_id at once; a widget shows the user the pages. Not for one page.",
  },
  extract_data: {
    ...STARTS_RUN,
    description:
      'Extracts records of a JSON Schema from structured data, tables and lists; a widget shows the user the records. Set multiple for one item per record. For a crawl, returns a run_id at once. Not for prose.',
  },
  run_resume: {
    ...STARTS_RUN,
    description:
      'Resumes an interrupted, cancelled or failed run, and returns its run_id at once; a widget shows it. No work is lost or repeated. Not for a completed run.',
  },
  run_status: {
    description:
      'Shows the user a run in a widget, which follows it. Use it once, when the user asks for a run.',
    keys: ['run_id', 'status', 'progress'],
    text: ({ run_id: runId, status }) =>
      clean`${formatMember(runId)} is ${formatMember(status)}. A widget shows the user its progress and result: do not poll it.`,
  },
  run_output: {
    description:
      'Reads the items of a run, even while it is running, to answer a question about them. Follow next_offset. Not to show them: the widget does. Not for handles.',
    systemRole:
      'A long call returns a run_id at once, and a widget shows the user its progress and result: do not poll it. Read items with run_output only to answer a question about them.',
  },
  recipe_run: {
    ...STARTS_RUN,
    description:
      'Starts a recipe, and returns its run_id at once; a widget shows the user its steps and result. If it stops, run_resume continues it. Each recipe is also a tool under its own name. Not for a single call.',
  },
  recipe_search: {
    description:
      'Finds recipes, saved sequences of calls, and shows the user their cards. Then recipe_get for the parameters of one, or recipe_run. To look one up yourself, use recipe_search_internal.',
    keys: ['recipes', 'total'],
    text: ({ total, recipes }) =>
      withLines(
        clean`${formatMember(total)} found. A widget shows the user their cards: do not list them again.`,
        [recipes, ({ name, title }) => clean`- ${formatMember(name)}: ${formatMember(title)}`],
      ),
  },
  recipe_get: {
    description:
      'Shows the user a recipe with its steps, and returns its parameters. To read one yourself, use recipe_get_internal. Not for a list: use recipe_search.',
    keys: ['name', 'title', 'description', 'input_schema'],
  },
  recipe_search_internal: {
    audience: 'both',
    description:
      'Finds recipes and shows the user nothing. Use it to choose one yourself. To show cards, use recipe_search.',
  },
  recipe_get_internal: {
    audience: 'both',
    description:
      'Returns a recipe with its steps and parameters, and shows the user nothing. Use it before recipe_run. To show it, use recipe_get.',
  },
});

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  run: 'Shows the progress of a run, then its items, page by page.',
  page: 'Shows a page as it was read, with a search in it.',
  recipes: 'Shows recipes as cards with a search, and each with its parameters and steps.',
  records: 'Shows records as a table, page by page, each with all its fields.',
};

/**
 * Tools for ChatGPT's Apps SDK: long calls return a run id immediately and a widget shows the rest; tools
 * that only widgets call are private. Looking up a recipe has a twin that draws no widget.
 */
export const mode: Mode = {
  name: 'openai',
  audience: "ChatGPT's Apps SDK",
  fallback: WIDGET_FALLBACK,
  rows: ROWS,
  own: INTERNAL_WIDGET_TOOLS,
  instructions: [],
  widgets: {
    mimeType: 'text/html+skybridge',
    metaKeys: ['openai/', WIDGET_TEXTS],
    names: WIDGET_NAMES,
    uri: widgetUri,
    toolMeta: ({ widget, audience }, title) => {
      if (audience === 'widget') return { 'openai/widgetAccessible': true, 'openai/visibility': 'private' };
      if (audience === 'both') return { 'openai/widgetAccessible': true };
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
