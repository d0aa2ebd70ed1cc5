import { type JsonObject, type JsonValue, isObject, lookUp } from '../../../shared/base/json.ts';
import { formatDuration, formatNumber, formatSize } from '../../ui/words/format.ts';
import {
  asNumber,
  asRecord,
  asRecords,
  asText,
  isSet,
  itemsOf,
  listOf,
  numberIn,
  textIn,
  textsIn,
  code,
  figure,
  figures,
  logLine,
  momentOf,
  wordFor,
} from '../../ui/read-json.ts';
import {
  ofState,
  type Block,
  type Fact,
  type Given,
  type Line,
  type Tone,
  type View,
} from '../../ui/faces/face.ts';

const VERIFY = 'spillway verify-bundle bundle.wacz';
const VERIFY_BY_HAND = 'unzip bundle.wacz && sha256sum evidence/*';
const OUTCOMES: Readonly<Record<string, Tone>> = {
  done: 'good',
  waiting: 'wait',
  timeout: 'wait',
  nobody_there: 'wait',
  declined: 'bad',
};

const sumOf = (counts: JsonValue | undefined): number =>
  Object.values(asRecord(counts)).reduce<number>((sum, count) => sum + (asNumber(count) ?? 0), 0);

/** Totals of each tool's calls. */
function tableOf(tools: JsonObject, { oc_journal: words, ...all }: Given['words']): Block | false {
  const rows = Object.entries(tools).map(([name, facts]) => {
    const errors = sumOf(asRecord(facts)['errors']);
    return [
      name,
      formatNumber(numberIn(facts, 'calls') ?? 0),
      errors === 0 ? '' : formatNumber(errors),
      formatSize(numberIn(facts, 'bytes') ?? 0),
      figure(facts, 'median_ms', formatDuration) ?? '',
      figure(facts, 'p95_ms', formatDuration) ?? '',
    ];
  });
  const head = [all.tool, all.calls, words.errors, all.answered, words.median, words.slow];
  return rows.length > 0 && { table: [head, ...rows], label: all.tools };
}

function evidencePart(part: JsonObject, { oc_evidence_bundle: words }: Given['words']): Line {
  const secrets = sumOf(asRecord(part['redacted'])['secrets']);
  const name = textIn(part, 'name') ?? '';
  return {
    title: name,
    quiet: [textIn(part, 'type')],
    marks: [
      part['redacted'] === null && ['wait', words.pictures],
      secrets > 0 && ['wait', words.secrets({ count: secrets })],
    ],
    end: figure(part, 'size_bytes', formatSize),
    blocks: [
      { facts: [['SHA-256', { hash: textIn(part, 'sha256') }]] },
      ...textsIn(part, 'notes').map((note) => ({ note })),
    ],
  };
}

/** One browser of the health report. */
function browserOf(browser: JsonObject, { oc_connection_health: words, ...all }: Given['words']): Line {
  const isConnected = browser['connected'] === true;
  const name = [browser['name'], browser['version']].map((part) => asText(part) ?? '').join(' ');
  const reconnects = numberIn(browser, 'reconnects') ?? 0;
  return {
    title: textIn(browser, 'label') ?? name,
    code: textIn(browser, 'browser'),
    marks: [isConnected ? ['good', all.connected] : ['bad', words.away]],
    blocks: [
      {
        facts: [
          [words.problem, textIn(browser, 'problem')],
          [words.roundTrip, figure(browser, 'round_trip_ms', formatDuration)],
          [words.tabs, figure(browser, 'tabs', formatNumber)],
          [all.extension, textIn(browser, 'extension_version')],
          [all.host, textIn(browser, 'host_version')],
          [words.wire, figure(browser, 'wire', String)],
          [words.reconnects, reconnects > 0 ? words.times({ count: reconnects }) : null],
        ],
      },
    ],
  };
}

/** A titled list of facts. */
const factsOf = (part: string, ...facts: readonly Fact[]): Block => ({ part, blocks: [{ facts }] });

export const SERVER_VIEWS = {
  docs_search: ({ value, words }) => {
    const items = itemsOf(value)?.map((section) => ({
      title: textIn(section, 'heading'),
      code: textIn(section, 'section') ?? textIn(section, 'page'),
      text: textIn(section, 'excerpt'),
    }));
    return [items?.length === 0 ? { note: words.docs.nothing } : items !== undefined && { items }];
  },
  docs_fetch: ({ value }) => [typeof value === 'string' && value !== '' && { text: value, as: 'markdown' }],
  find_tools: ({ value, words: { find_tools: words } }) => {
    const members = ['added', 'matches', 'tools', 'problems'];
    const lists = members.map((member) => itemsOf(asRecord(value)[member]));
    const [added, matches, tools, problems] = lists;
    const given = lists.filter((list) => list !== null);
    const found = (tool: JsonValue): Line => ({
      code: textIn(tool, 'name'),
      marks: isSet(tool, 'listed') ? [['plain', words.listed]] : [],
      text: textIn(tool, 'description'),
    });
    return [
      listOf(words.added, added, (name) => ({ marks: [['good', String(name)]] })),
      listOf(words.matches, matches, found),
      listOf(words.selected, tools, found),
      problems != null && {
        items: problems.map((one) => ({
          code: textIn(one, 'name'),
          quiet: [textIn(asRecord(one)['error'], 'message')],
        })),
      },
      given.length > 0 && given.every(({ length }) => length === 0) && { note: words.nothing },
    ];
  },
  oc_connection_health: ({ value, words: all }) => {
    if (!isObject(value)) return [];
    const words = all.oc_connection_health;
    const { server, meter, store } = value;
    const { budget } = asRecord(meter);
    const items = asRecords(value['browsers']).map((browser) => browserOf(browser, all));
    return [
      { error: value['problem'] },
      factsOf(
        words.server,
        [words.version, textIn(server, 'version')],
        [words.process, figure(server, 'pid', String)],
        [words.up, figure(server, 'uptime_s', (seconds) => formatDuration(seconds * 1_000))],
      ),
      { part: words.browsers, blocks: [items.length > 0 ? { items } : { note: words.noBrowsers }] },
      factsOf(
        words.session,
        [all.calls, figure(meter, 'calls', formatNumber)],
        [all.answered, figure(meter, 'bytes', formatSize)],
        [all.tokens, figure(meter, 'tokens', formatNumber)],
        [words.saved, figure(meter, 'saved_tokens', formatNumber)],
        [
          words.left,
          figures(budget, ['left', 'tokens'], formatNumber, (left, most) => words.of({ left, all: most })),
        ],
      ),
      factsOf(
        words.store,
        [words.handles, figure(store, 'handles', formatNumber)],
        [
          all.room,
          figures(store, ['size_bytes', 'max_bytes'], formatSize, (used, most) => all.used({ used, most })),
        ],
        [words.folder, textIn(store, 'directory')],
      ),
    ];
  },
  oc_evidence_bundle: ofState(({ value, answer, state, words: all }) => {
    const words = all.oc_evidence_bundle;
    const manifest = asRecord(value);
    const parts = asRecords(manifest['parts']);
    const failed = asRecords(manifest['failed'] ?? state['failed']);
    const isTaken = value !== undefined || answer.stored !== null || Object.keys(state).length > 0;
    const verify = {
      fold: words.verify,
      blocks: [
        parts.length === 0 && { note: words.noManifest },
        { note: words.verifyDetail },
        code(VERIFY),
        { note: words.verifyByHand },
        code(VERIFY_BY_HAND),
      ],
    };
    return [
      {
        facts: [
          [all.interact.parts.page, { url: textIn(manifest, 'url') ?? textIn(state, 'url') }],
          [words.taken, momentOf(manifest['created_at'])],
          [words.takenBy, textIn(manifest, 'captured_by')],
          [words.reference, textIn(manifest, 'case_reference')],
          [words.timestamp, textIn(state['timestamp'], 'at') ?? asText(state['timestamp'])],
          [words.archiveHash, { hash: textIn(state, 'archive_sha256') }],
          [words.partsHash, { hash: textIn(manifest, 'parts_sha256') ?? textIn(state, 'parts_sha256') }],
        ],
      },
      parts.length > 0
        ? listOf(words.parts, parts, (part) => evidencePart(part, all))
        : listOf(words.parts, textsIn(state, 'parts'), (name) => ({ marks: [['plain', name]] })),
      listOf(words.failed, failed, (one) => ({
        title: textIn(one, 'part'),
        code: textIn(one, 'code'),
        text: textIn(one, 'message'),
      })),
      answer.ok && isTaken && verify,
    ];
  }),
  oc_journal: ({ value, words: all }) => {
    const words = all.oc_journal;
    if (Array.isArray(value)) {
      const newest = asRecords(value).toReversed();
      const items = newest.map((line) => {
        const [tool, event, failure] = [textIn(line, 'tool'), textIn(line, 'event'), textIn(line, 'code')];
        return logLine(line, {
          title: tool ?? event ?? JSON.stringify(line).slice(0, 200),
          quiet: [tool !== null && event !== 'tool_call' ? event : null],
          marks: [line['ok'] === true && ['good', words.ok], failure !== null && ['bad', failure]],
          end: figure(line, 'duration_ms', formatDuration),
        });
      });
      return [items.length > 0 ? { items, label: words.lines } : value.length === 0 && { note: words.none }];
    }
    const totals = asRecord(value);
    const [oldest, newest] = [momentOf(totals['oldest']), momentOf(totals['newest'])];
    const events = Object.entries(asRecord(totals['events']));
    return [
      {
        line: {
          title: figure(totals, 'entries', (count) => words.entries({ count })),
          quiet: [oldest === null || newest === null ? null : words.between({ from: oldest, to: newest })],
        },
      },
      tableOf(asRecord(totals['tools']), all),
      events.length > 0 && {
        part: words.events,
        blocks: [{ facts: events.map(([name, count]): Fact => [name, formatNumber(asNumber(count) ?? 0)]) }],
      },
    ];
  },
  request_human_input: ({ value, words: { human: words, tab } }) => {
    if (!isObject(value)) return [value !== undefined && { value }];
    const { summary, question, outcome: end, answer, reason, tab: place, ...others } = value;
    const outcome = asText(end);
    const yesOrNo = typeof answer === 'boolean' ? (answer ? words.yes : words.no) : null;
    return [
      {
        line: {
          marks:
            outcome === null
              ? []
              : [[lookUp(OUTCOMES, outcome) ?? 'plain', wordFor(words.outcomes, outcome)]],
          quiet: [asText(summary)],
        },
      },
      {
        facts: [
          [words.question, asText(question)],
          [words.answer, yesOrNo ?? (answer === undefined || answer === null ? null : { value: answer })],
          [words.reason, asText(reason)],
          [tab, asText(place)],
        ],
      },
      Object.keys(others).length > 0 && { value: others },
    ];
  },
} satisfies Readonly<Record<string, View>>;
