import {
  PLAIN_ROW,
  type InternalTool,
  type Mode,
  type ModeRow,
  type ToolRows,
} from '../registry/definition.ts';

/** Not itself a mode. */
export const WIDGET_FALLBACK: ModeRow = { ...PLAIN_ROW, structuredContent: true };

const FOR_WIDGETS: Partial<ModeRow> = { description: 'Called by widgets only.', audience: 'widget' };

/** Which tools a widget belongs to, and which only widgets call. */
const WIDGET_ROWS: Mode['rows'] = {
  crawl: { widget: 'run' },
  extract_data: { widget: 'records' },
  run_resume: { widget: 'run' },
  run_status: { widget: 'run' },
  read_page: { widget: 'page' },
  network: { widget: 'records' },
  oc_output_fetch: { widget: 'records' },
  recipe_run: { widget: 'run' },
  recipe_search: { widget: 'recipes' },
  recipe_get: { widget: 'recipes' },
  run_status_internal: FOR_WIDGETS,
  run_output_internal: FOR_WIDGETS,
  run_cancel_internal: FOR_WIDGETS,
  oc_output_fetch_internal: FOR_WIDGETS,
  recipe_search_internal: FOR_WIDGETS,
  recipe_get_internal: FOR_WIDGETS,
};

/** These rows, with those of a mode over them. */
export const withWidgets = (own: ToolRows): Mode['rows'] => ({
  ...WIDGET_ROWS,
  ...Object.fromEntries(Object.entries(own).map(([name, row]) => [name, { ...WIDGET_ROWS[name], ...row }])),
});

/** Tools for widgets: progress and items of a run, recipes, and stored outputs. */
export const INTERNAL_WIDGET_TOOLS: readonly InternalTool[] = [
  { name: 'run_status_internal', of: 'run_status', serves: 'runs' },
  { name: 'run_output_internal', of: 'run_output', serves: 'runs' },
  { name: 'run_cancel_internal', of: 'run_cancel', serves: 'runs' },
  { name: 'recipe_search_internal', of: 'recipe_search', serves: 'recipes' },
  { name: 'recipe_get_internal', of: 'recipe_get', serves: 'recipes' },
  { name: 'oc_output_fetch_internal', of: 'oc_output_fetch', serves: 'outputs' },
];

/** The widgets of every mode that shows the same ones. */
export const WIDGET_NAMES = ['run', 'page', 'records', 'recipes'];

/** Address of a widget's resource, the same in every mode that has widgets. */
export const widgetUri = (widget: string): string => `ui://spillway/${widget}.html`;
