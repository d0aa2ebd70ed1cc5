import { PLAIN_ROW, type ModeRow, type InternalTool } from '../core/registry/definition.ts';

/** What the modes with widgets have in common; no mode itself. */
export const WIDGET_FALLBACK: ModeRow = { ...PLAIN_ROW, structuredContent: true };

const FOR_WIDGETS: Partial<ModeRow> = { description: 'Called by widgets only.', audience: 'widget' };

/** Which tools a widget belongs to, and which only widgets call. */
export const WIDGET_ROWS = {
  crawl: { widget: 'run' },
  extract_data: { widget: 'run' },
  run_resume: { widget: 'run' },
  run_status: { widget: 'run' },
  run_status_internal: FOR_WIDGETS,
  run_output_internal: FOR_WIDGETS,
  run_cancel_internal: FOR_WIDGETS,
} as const satisfies Readonly<Record<string, Partial<ModeRow>>>;

/** What the widget of a run calls. */
export const INTERNAL_WIDGET_TOOLS: readonly InternalTool[] = [
  { name: 'run_status_internal', of: 'run_status' },
  { name: 'run_output_internal', of: 'run_output' },
  { name: 'run_cancel_internal', of: 'run_cancel' },
];

/** The widgets of every mode that shows the same ones. */
export const WIDGET_NAMES = ['run'];

/** Address of a widget's resource, the same in every mode that has widgets. */
export const widgetUri = (widget: string): string => `ui://spillway/${widget}.html`;
