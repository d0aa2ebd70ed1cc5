import { catalogue, addSection, text } from '../../ui/words/catalogue.ts';

const english = {
  /** Tools with a widget; others are shown by name. */
  tools: {
    crawl: 'Crawl',
    extract_data: 'Extract data',
    network: 'Network requests',
    oc_output_fetch: 'Stored output',
    read_page: 'Page',
    recipe_get: 'Recipe',
    recipe_run: 'Recipe run',
    recipe_search: 'Recipes',
    run_resume: 'Resume run',
    run_status: 'Run',
    other: 'Result',
  },
  notConnected: 'Not connected',
  waiting: 'Waiting',
  waitingForApproval: 'Waiting for approval',
  answered: 'Answered',
  disconnected: 'Disconnected',
  paused: 'Updates paused',
  said: text('{tool}: {status}'),
  saidItems: text('Items {range}'),
  saidFailed: text('Failed: {message}'),
  range: text('{first}–{last} of {total}'),
  cancel: 'Cancel',
  cancelling: 'Cancelling…',
  cancelQuestion: 'Cancel this run? Its items stay readable.',
  keepRunning: 'Keep running',
  cancelRun: 'Cancel the run',
  retry: 'Try again',
  question: 'Question',
  arguments: 'Arguments',
  nothingDone: 'Nothing has been done yet. The call runs after it is allowed.',
  inConversation: 'The result of this call is in the conversation.',
  interrupted: 'The server that worked on this run has stopped. No items were lost: ask to resume the run.',
  noHost: 'No host responded. This page shows Spillway results only inside a conversation.',
  closed: 'Updates have stopped: the host closed this view.',
  lost: 'Disconnected: this is the last state that Spillway reported.',
  noCalls: text(
    'This host does not let widgets request updates: this is the state of “{tool}” when the call returned. Ask for its progress and items in the conversation.',
  ),
  errors: {
    unreached:
      'The call did not reach Spillway. Try again; if the problem persists, ask for it in the conversation.',
    pending: 'The call is waiting for approval.',
    unknown: 'The call failed, and no reason was given.',
    link: text('The host did not open {href}'),
  },
  more: text('Read more, {size} left'),
  reading: 'Reading…',
};

export const texts = catalogue('widgets', english);
export type WidgetWords = ReturnType<typeof texts>;

// A widget is one file, so it has every language, but only the texts that it shows.
addSection('common', import.meta.glob('../../ui/words/*.json', { import: 'common', eager: true }));
addSection('components', import.meta.glob('../../ui/words/*.json', { import: 'components', eager: true }));
addSection('faces', import.meta.glob('../../ui/words/*.json', { import: 'faces', eager: true }));
addSection('notes', import.meta.glob('../../ui/words/*.json', { import: 'notes', eager: true }));
addSection('widgets', import.meta.glob('../../ui/words/*.json', { import: 'widgets', eager: true }));

/** The title of a tool, or its name as words (`run_log` is `Run log`). */
export function toolTitle(name: string | null, { tools }: WidgetWords): string {
  if (name === null) return tools.other;
  const known = Object.entries(tools).find(([tool]) => tool === name);
  if (known !== undefined) return known[1];
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
