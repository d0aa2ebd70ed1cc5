import type { JsonValue } from '../../../shared/json.ts';
import { reveal } from '../../../shared/policy/reveal.ts';
import { asRecord, isSet, textIn } from '../components/read-json.ts';
import type { ListItem, Rows } from './row.ts';
import type { ToolWords } from './words/en.ts';

const RUN = { about: ['run_id'], render: async () => (await import('./own/runs.tsx')).RunOf };

/** The first line that says something. */
const firstLine = (code: string): string =>
  code
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '') ?? '';

/** Tools that reach no page. */
export const SERVER_ROWS = {
  docs: {
    docs_search: {
      about: ['query'],
      result: {
        from: 'value',
        title: null,
        empty: 'nothing',
        lists: [
          {
            member: null,
            item: (section) => ({
              title: textIn(section, 'heading'),
              code: textIn(section, 'section') ?? textIn(section, 'page'),
              text: textIn(section, 'excerpt'),
            }),
          },
        ],
      },
    },
    docs_fetch: {
      about: ['page'],
      result: { from: 'value', title: null, text: () => ({ as: 'markdown' }) },
    },
  },
  find_tools: {
    find_tools: {
      about: ['query'],
      result: {
        from: 'value',
        title: null,
        empty: 'nothing',
        lists: [
          {
            member: 'added',
            title: (_facts, words) => words.added,
            item: (name) => ({ marks: [['good', reveal(String(name))]] }),
          },
          { member: 'matches', title: (_facts, words) => words.matches, item: foundTool },
          { member: 'tools', title: (_facts, words) => words.selected, item: foundTool },
          {
            member: 'problems',
            item: (problem) => ({
              code: textIn(problem, 'name'),
              quiet: textIn(asRecord(problem)['error'], 'message') ?? '',
            }),
          },
        ],
      },
    },
  },
  oc_connection_health: {
    oc_connection_health: { render: async () => (await import('./own/health.tsx')).Health },
  },
  oc_evidence_bundle: {
    oc_evidence_bundle: {
      about: ['case_reference', 'captured_by', 'tab'],
      tags: ['format', { of: 'reload', is: true, say: 'reload' }],
      render: async () => (await import('./own/evidence.tsx')).Bundle,
    },
  },
  oc_journal: {
    oc_journal: {
      about: ['tool'],
      tags: [{ wordOf: 'action' }, 'since'],
      render: async () => (await import('./own/journal.tsx')).Journal,
      // The timeline around it has the same lines; sums are there only.
      control: ({ value }) => (Array.isArray(value) && value.length > 0 ? 'closed' : 'open'),
    },
  },
  oc_output_fetch: {
    oc_output_fetch: {
      about: ['output_handle'],
      tags: [{ of: 'offset', say: 'from' }, 'format'],
      render: async () => (await import('./own/output-page.tsx')).Fetched,
    },
  },
  oc_output_query: {
    oc_output_query: {
      about: ['search', 'regex', 'where', 'jmespath', 'output_handle'],
      tags: [
        { of: 'schema', is: true, say: 'schema' },
        { of: 'stats', is: true, say: 'stats' },
        { of: 'diff', say: 'diff' },
        { of: 'sort', say: 'sortedBy' },
      ],
    },
  },
  output_keep: {
    output_keep: { about: ['output_handle', 'note'], tags: [{ of: 'keep', is: false, say: 'release' }] },
  },
  output_list: { output_list: { about: ['text'], tags: ['tool'] } },
  output_schema: { output_schema: { about: ['output_handle'] } },
  recipes: {
    recipe_search: { about: ['query'], render: async () => (await import('./own/recipes.tsx')).Recipes },
    recipe_get: { about: ['name'], render: async () => (await import('./own/recipes.tsx')).Recipe },
    recipe_run: {
      about: ['name', 'continue'],
      tags: [
        { of: 'continue', say: 'continues' },
        { of: 'skip', is: true, say: 'skips' },
      ],
      render: async () => (await import('./own/recipes.tsx')).Run,
    },
    recipe_save: {
      tags: [{ of: 'replace', is: true, say: 'replaces' }],
      render: async () => (await import('./own/recipes.tsx')).Saved,
    },
    recipe_delete: { about: ['name'], render: async () => (await import('./own/recipes.tsx')).Deleted },
  },
  request_human_input: {
    request_human_input: {
      about: ['message', 'tab'],
      tags: [{ wordOf: 'type' }],
      awaits: 'waiting',
      render: async () => (await import('./own/human.tsx')).Answered,
    },
  },
  resume_call: { resume_call: { about: ['id'] } },
  runs: {
    run_status: RUN,
    run_output: {
      about: ['run_id'],
      tags: [{ of: 'offset', say: 'from' }],
      streams: true,
      render: async () => (await import('./own/runs.tsx')).RunItems,
    },
    run_cancel: RUN,
    run_resume: { ...RUN, streams: true },
    run_list: { about: ['status'], render: async () => (await import('./own/runs.tsx')).RunList },
    run_log: {
      about: ['run_id'],
      tags: ['since'],
      render: async () => (await import('./own/runs.tsx')).RunLog,
    },
  },
  script: {
    script: { line: ({ args: { code } }) => ({ about: [typeof code === 'string' && firstLine(code)] }) },
  },
} satisfies Partial<Rows>;

function foundTool(tool: JsonValue, words: ToolWords['find_tools']['inspector']): ListItem {
  return {
    code: textIn(tool, 'name'),
    marks: isSet(tool, 'listed') ? [['plain', words.listed]] : [],
    text: textIn(tool, 'description'),
  };
}
