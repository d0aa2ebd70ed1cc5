import type { JsonObject } from '../../../shared/json.ts';
import { FETCH_BOUNDS } from '../../../shared/tools/fetch/limits.ts';
import { reveal } from '../../../shared/policy/reveal.ts';
import { formatDuration, formatNumber, formatSize } from '../../words/format.ts';
import { asRecord, isSet, listIn, numberIn, textIn, textsIn } from '../components/read-json.ts';
import { formatAddress } from '../components/text.ts';
import { stepLine } from './own/interact-steps.ts';
import type { Mark, Rows } from './row.ts';

const FAILED_STATUS = 400;
const TAB_MARKS = ['current', 'active', 'loading', 'discarded'] as const;

const httpStatus = (facts: JsonObject, say: (code: number) => string): readonly Mark[] => {
  const status = numberIn(facts, 'status');
  return status === null ? [] : [[status < FAILED_STATUS ? 'good' : 'bad', say(status)]];
};

/** Tools of the browser. */
export const BROWSER_ROWS = {
  console: {
    console: {
      about: ['text', 'tab'],
      tags: [{ wordOf: 'level' }, 'since'],
      render: async () => (await import('./own/console.tsx')).Messages,
    },
  },
  crawl: {
    crawl: {
      about: ['url', 'sitemap', 'resume'],
      tags: ['scope', 'find'],
      render: async () => (await import('./own/crawl.tsx')).Crawl,
      portal: async () => (await import('./own/crawl.tsx')).CrawlPortal,
      streams: true,
      form: {
        fields: ({ scope }) => [
          { kind: 'text', path: ['url'], label: 'url' },
          { kind: 'lines', path: ['urls'], label: 'urls' },
          { kind: 'text', path: ['sitemap'], label: 'sitemap' },
          { kind: 'number', path: ['max_pages'], label: 'maxPages', least: 1, most: 1_000_000 },
          { kind: 'number', path: ['max_depth'], label: 'maxDepth', least: 0, most: 1_000 },
          scope === 'origin' || scope === 'host'
            ? { kind: 'choice', path: ['scope'], label: 'scope', choices: ['origin', 'host'] }
            : { kind: 'text', path: ['scope'], label: 'scopeGlob' },
          { kind: 'lines', path: ['include'], label: 'include' },
          { kind: 'lines', path: ['exclude'], label: 'exclude' },
          { kind: 'check', path: ['respect_robots'], label: 'robots' },
        ],
      },
    },
  },
  dialog: {
    dialog: {
      about: ['text', 'tab'],
      tags: [{ wordOf: 'action' }],
      render: async () => (await import('./own/dialog.tsx')).Answered,
      form: {
        fields: () => [
          { kind: 'choice', path: ['action'], label: 'action', choices: ['accept', 'dismiss'] },
          { kind: 'text', path: ['text'], label: 'text' },
        ],
      },
    },
  },
  extract_data: {
    extract_data: {
      about: ['scope', 'run', 'tab'],
      render: async () => (await import('./own/extract-data.tsx')).Records,
      streams: true,
      form: {
        fields: () => [
          { kind: 'text', path: ['run'], label: 'run' },
          { kind: 'text', path: ['scope'], label: 'scope' },
          { kind: 'check', path: ['multiple'], label: 'multiple' },
          { kind: 'number', path: ['paginate', 'max_pages'], label: 'maxPages', least: 1, most: 1_000 },
        ],
      },
    },
  },
  fetch: {
    fetch: {
      about: ['url'],
      tags: [{ of: 'pages', say: 'pages' }, { wordOf: 'as' }],
      form: {
        fields: () => [
          { kind: 'text', path: ['url'], label: 'url' },
          { kind: 'text', path: ['pages'], label: 'pages' },
          { kind: 'number', path: ['max_bytes'], label: 'maxBytes', least: 1, most: FETCH_BOUNDS.bytesMax },
        ],
      },
      result: {
        from: 'state',
        title: 'file_name',
        marks: (facts, words) => {
          const size = numberIn(facts, 'size_bytes');
          return [
            ...httpStatus(facts, words.status),
            ...(size === null ? [] : [['quiet', formatSize(size)] as const]),
            ...(isSet(facts, 'truncated') ? [['wait', words.truncated] as const] : []),
          ];
        },
        facts: (facts, words) => {
          const type = textIn(facts, 'content_type');
          return type === null ? [] : [[words.type, type]];
        },
        folded: { member: 'headers', title: 'headers' },
        picture: { alt: 'picture' },
        // A PDF is read as Markdown.
        text: ({ pages }) => (pages === undefined ? { as: 'code', label: 'body' } : { as: 'markdown' }),
      },
    },
  },
  find: {
    find: {
      about: ['query', 'name', 'text', 'label', 'placeholder', 'css', 'xpath', 'test_id', 'tab'],
      tags: ['role'],
      result: {
        from: 'state',
        marks: (facts, words) => {
          const found = numberIn(facts, 'found');
          const more = numberIn(facts, 'more') ?? 0;
          if (found === null) return [];
          const count =
            more > 0 ? words.foundOf(formatNumber(found), formatNumber(found + more)) : words.found(found);
          return [[found > 0 ? 'good' : 'wait', count]];
        },
        text: () => ({ as: 'lines', label: 'elements' }),
      },
    },
  },
  html_skeleton: {
    html_skeleton: {
      about: ['selector', 'tab'],
      result: { from: 'state', text: () => ({ as: 'code', label: 'structure' }) },
    },
  },
  interact: {
    interact: {
      line: stepLine,
      render: async () => (await import('./own/interact.tsx')).Done,
      intervention: async () => (await import('./own/interact-form.tsx')).StepsForm,
    },
  },
  navigate: {
    navigate: {
      about: ['url', 'tab'],
      tags: [{ wordOf: 'action' }],
      form: { fields: () => [{ kind: 'text', path: ['url'], label: 'url' }] },
      result: {
        from: 'value',
        marks: (facts, words) => httpStatus(facts, words.status),
        notice: 'problem',
        facts: (facts, words) => {
          const [tab, waitedMs] = [textIn(facts, 'tab'), numberIn(facts, 'waited_ms')];
          if (tab === null) return [];
          return [
            [words.tab, tab],
            ...(waitedMs === null ? [] : [[words.waited, formatDuration(waitedMs)] as const]),
          ];
        },
        lists: [
          {
            member: 'redirects',
            isOrdered: true,
            title: (facts, words) =>
              words.redirects(
                formatNumber(numberIn(facts, 'redirects_in_all') ?? listIn(facts, 'redirects').length),
              ),
            item: (hop) => ({
              marks: [['plain', String(numberIn(hop, 'status') ?? '')]],
              quiet: formatAddress(textIn(hop, 'url') ?? ''),
            }),
          },
        ],
      },
    },
  },
  network: {
    network: {
      about: ['since_act', 'tab'],
      tags: [{ wordOf: 'action' }, 'format'],
      render: async () => (await import('./own/network.tsx')).Network,
      portal: async () => (await import('./own/network.tsx')).NetworkPortal,
      form: {
        // What is recorded unless the agent says otherwise is a choice, too.
        defaults: ({ action }) => (action === 'start' ? { bodies: 'text' } : {}),
        fields: () => [
          { kind: 'choice', path: ['bodies'], label: 'bodies', choices: ['none', 'text', 'all'] },
        ],
      },
      // That a capture began or ended says its line.
      control: ({ value }) => (asRecord(value)['state'] === undefined ? 'open' : 'closed'),
    },
  },
  read_page: {
    read_page: {
      about: ['find', 'selector', 'ref', 'tab'],
      tags: [
        { wordOf: 'format' },
        { of: 'main_content_only', is: true, say: 'main' },
        { of: 'interactive_only', is: true, say: 'controls' },
        { of: 'diff', is: true, say: 'changes' },
      ],
      render: async () => (await import('./own/page.tsx')).PageRead,
    },
  },
  screenshot: {
    screenshot: {
      about: ['selector', 'ref', 'tab'],
      tags: [{ wordOf: 'area' }, { wordOf: 'as' }],
      result: { from: 'state', title: null, picture: { alt: 'shown', note: 'notRedacted' } },
    },
  },
  tabs: {
    tabs: {
      about: ['url', 'tab'],
      tags: [{ wordOf: 'action' }],
      // That a tab was closed or brought to the front is what the line says; what was opened is shown.
      control: ({ value }) =>
        ['closed', 'activated'].some((done) => textIn(value, done) !== null) ? 'closed' : 'open',
      result: {
        from: 'value',
        marks: (facts, words) =>
          (['opened', 'closed', 'activated'] as const).flatMap((name) => {
            const tab = textIn(facts, name);
            return tab === null ? [] : [['good', words.done[name](reveal(tab))] as const];
          }),
        empty: 'none',
        lists: [
          {
            member: 'tabs',
            item: (tab, words) => ({
              title: textIn(tab, 'title'),
              code: textIn(tab, 'tab'),
              url: textIn(tab, 'url'),
              marks: TAB_MARKS.filter((name) => isSet(tab, name)).map((name) => [
                name === 'current' ? 'busy' : 'plain',
                words.marks[name],
              ]),
            }),
          },
        ],
      },
    },
  },
  wait_for: {
    wait_for: {
      about: ['text', 'text_gone', 'target', 'target_gone', 'url', 'tab'],
      tags: [
        { of: 'text_gone', say: 'gone' },
        { of: 'target_gone', say: 'gone' },
        { of: 'load', is: true, say: 'load' },
        { of: 'download', is: true, say: 'download' },
        { of: 'network_idle', is: true, say: 'idle' },
        { wordOf: 'mode' },
      ],
      // What came as its line names it needs no words of its own; what is missing does.
      control: ({ state }) =>
        textsIn(state, 'met').length > 0 && textsIn(state, 'missing').length === 0 ? 'closed' : 'open',
      result: {
        from: 'state',
        title: null,
        marks: (facts, words) => {
          const waitedMs = numberIn(facts, 'waited_ms');
          return [
            ...textsIn(facts, 'met').map((name) => ['good', words.met(reveal(name))] as const),
            ...textsIn(facts, 'missing').map((name) => ['bad', words.missing(reveal(name))] as const),
            ...(waitedMs === null ? [] : [['quiet', words.after(formatDuration(waitedMs))] as const]),
          ];
        },
        text: () => ({ as: 'lines', label: 'said' }),
      },
    },
  },
} satisfies Partial<Rows>;
