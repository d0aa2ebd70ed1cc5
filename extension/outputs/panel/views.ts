import { isObject, lookUp } from '../../../shared/base/json.ts';
import { formatDuration, formatNumber, formatSize } from '../../ui/words/format.ts';
import { code, figure, listOf, logLine, momentOf, wordFor } from '../../ui/shown.ts';
import { face } from '../../ui/faces/blocks.tsx';
import type { Block, Fact, Given, Line, Tone } from '../../ui/faces/face.ts';

const VERIFY = 'spillway verify-bundle bundle.wacz';
const VERIFY_BY_HAND = 'unzip bundle.wacz && sha256sum evidence/*';
const OUTCOMES: Readonly<Record<string, Tone>> = {
  done: 'good',
  waiting: 'wait',
  timeout: 'wait',
  nobody_there: 'wait',
  declined: 'bad',
};

type Counts = Readonly<Record<string, number>>;
type Member<List> = NonNullable<List> extends readonly (infer Item)[] ? Item : never;

const sumOf = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Totals of each tool's calls. */
function tableOf(
  tools: NonNullable<Given<'oc_journal'>['value']['tools']>,
  { oc_journal: words, ...all }: Given['words'],
): Block | false {
  const rows = Object.entries(tools).map(
    ([name, { calls, errors, bytes, median_ms: median, p95_ms: slow }]) => {
      const failed = sumOf(errors);
      return [
        name,
        formatNumber(calls),
        failed === 0 ? '' : formatNumber(failed),
        formatSize(bytes),
        figure(median, formatDuration) ?? '',
        figure(slow, formatDuration) ?? '',
      ];
    },
  );
  const head = [all.tool, all.calls, words.errors, all.answered, words.median, words.slow];
  return rows.length > 0 && { table: [head, ...rows], label: all.tools };
}

function evidencePart(
  {
    name,
    type,
    redacted,
    size_bytes: size,
    sha256: hash,
    notes,
  }: Member<Given<'oc_evidence_bundle'>['value']['parts']>,
  { oc_evidence_bundle: words }: Given['words'],
): Line {
  const secrets = sumOf(redacted?.secrets ?? {});
  return {
    title: name,
    quiet: [type],
    marks: [
      redacted === null && ['wait', words.pictures],
      secrets > 0 && ['wait', words.secrets({ count: secrets })],
    ],
    end: formatSize(size),
    blocks: [{ facts: [['SHA-256', { hash }]] }, ...notes.map((note) => ({ note }))],
  };
}

/** One browser of the health report. */
function browserOf(
  browser: Member<Given<'oc_connection_health'>['value']['browsers']>,
  { oc_connection_health: words, ...all }: Given['words'],
): Line {
  const { name, version, reconnects } = browser;
  return {
    title: browser.label ?? `${name} ${version}`,
    code: browser.browser,
    marks: [browser.connected ? ['good', all.connected] : ['bad', words.away]],
    blocks: [
      {
        facts: [
          [words.problem, browser.problem],
          [words.roundTrip, figure(browser.round_trip_ms, formatDuration)],
          [words.tabs, figure(browser.tabs, formatNumber)],
          [all.extension, browser.extension_version],
          [all.host, browser.host_version],
          [words.wire, String(browser.wire)],
          [words.reconnects, reconnects > 0 ? words.times({ count: reconnects }) : null],
        ],
      },
    ],
  };
}

/** A titled list of facts. */
const factsOf = (part: string, ...facts: readonly Fact[]): Block => ({ part, blocks: [{ facts }] });

export const SERVER_RENDERS = {
  docs_search: face('docs_search', ({ value: { items: found }, words }) => {
    const items = found?.map(({ heading, section, excerpt }) => ({
      title: heading,
      code: section,
      text: excerpt,
    }));
    return [items?.length === 0 ? { note: words.docs.nothing } : items !== undefined && { items }];
  }),
  docs_fetch: face('docs_fetch', ({ text }) => [code(text, 'markdown')]),
  find_tools: face('find_tools', ({ value, words: { find_tools: words } }) => {
    const { added, matches, tools, problems } = value;
    const given = [added, matches, tools, problems].filter((list) => list !== undefined);
    return [
      listOf(words.added, added, (name) => ({ marks: [['good', name]] })),
      listOf(words.matches, matches, ({ name, listed, description }) => ({
        code: name,
        marks: listed ? [['plain', words.listed]] : [],
        text: description,
      })),
      listOf(words.selected, tools, ({ name, description }) => ({ code: name, text: description })),
      problems !== undefined && {
        items: problems.map(({ name, error }) => ({ code: name, quiet: [error.message] })),
      },
      given.length > 0 && given.every(({ length }) => length === 0) && { note: words.nothing },
    ];
  }),
  oc_connection_health: face('oc_connection_health', ({ value, words: all }) => {
    const words = all.oc_connection_health;
    const { server, browsers = [], problem, meter, store } = value;
    const items = browsers.map((browser) => browserOf(browser, all));
    return [
      { error: problem },
      server !== undefined &&
        factsOf(
          words.server,
          [words.version, server.version],
          [words.process, String(server.pid)],
          [words.up, formatDuration(server.uptime_s * 1_000)],
        ),
      { part: words.browsers, blocks: [items.length > 0 ? { items } : { note: words.noBrowsers }] },
      meter !== undefined &&
        factsOf(
          words.session,
          [all.calls, formatNumber(meter.calls)],
          [all.answered, formatSize(meter.bytes)],
          [all.tokens, formatNumber(meter.tokens)],
          [words.saved, formatNumber(meter.saved_tokens)],
          [
            words.left,
            meter.budget &&
              words.of({ left: formatNumber(meter.budget.left), all: formatNumber(meter.budget.tokens) }),
          ],
        ),
      store !== undefined &&
        factsOf(
          words.store,
          [words.handles, formatNumber(store.handles)],
          [all.room, all.used({ used: formatSize(store.size_bytes), most: formatSize(store.max_bytes) })],
          [words.folder, store.directory],
        ),
    ];
  }),
  oc_evidence_bundle: face('oc_evidence_bundle', ({ value, answer, state, words: all }) => {
    const words = all.oc_evidence_bundle;
    const { parts = [], failed = state.failed } = value;
    const isTaken = answer.value !== undefined || answer.stored !== null || Object.keys(state).length > 0;
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
          [all.interact.parts.page, { url: value.url ?? state.url }],
          [words.taken, momentOf(value.created_at)],
          [words.takenBy, value.captured_by],
          [words.reference, value.case_reference],
          [words.timestamp, state.timestamp?.time],
          [words.archiveHash, { hash: state.archive_sha256 }],
          [words.partsHash, { hash: value.parts_sha256 ?? state.parts_sha256 }],
        ],
      },
      parts.length > 0
        ? listOf(words.parts, parts, (part) => evidencePart(part, all))
        : listOf(words.parts, state.parts, (name) => ({ marks: [['plain', name]] })),
      listOf(words.failed, failed, ({ part, code: why, message }) => ({
        title: part,
        code: why,
        text: message,
      })),
      answer.ok && isTaken && verify,
    ];
  }),
  oc_journal: face('oc_journal', ({ answer, value, words: all }) => {
    const words = all.oc_journal;
    if (answer.value === undefined) return [];
    const { items: lines, entries, tools = {}, events = {} } = value;
    if (lines !== undefined) {
      const items = lines.toReversed().map((line) => {
        const { tool, event, code: failure } = line;
        return logLine(line, {
          title: tool ?? event,
          quiet: [tool !== undefined && event !== 'tool_call' ? event : null],
          marks: [line.ok === true && ['good', words.ok], failure != null && ['bad', failure]],
          end: figure(line.duration_ms, formatDuration),
        });
      });
      return [items.length > 0 ? { items, label: words.lines } : { note: words.none }];
    }
    const [oldest, newest] = [momentOf(value.oldest), momentOf(value.newest)];
    const facts = Object.entries(events).map(([name, count]): Fact => [name, formatNumber(count)]);
    return [
      {
        line: {
          title: figure(entries, (count) => words.entries({ count })),
          quiet: [oldest === null || newest === null ? null : words.between({ from: oldest, to: newest })],
        },
      },
      tableOf(tools, all),
      facts.length > 0 && { part: words.events, blocks: [{ facts }] },
    ];
  }),
  request_human_input: face('request_human_input', ({ value, words: { human: words, tab } }) => {
    const { summary, question, outcome, answer = null, reason, tab: place, ...others } = value;
    const yesOrNo = typeof answer === 'boolean' ? (answer ? words.yes : words.no) : null;
    return [
      {
        line: {
          marks:
            outcome === undefined
              ? []
              : [[lookUp(OUTCOMES, outcome) ?? 'plain', wordFor(words.outcomes, outcome)]],
          quiet: [summary],
        },
      },
      {
        facts: [
          [words.question, question],
          [words.answer, yesOrNo ?? (answer === null ? null : { value: answer })],
          [words.reason, reason],
          [tab, place],
        ],
      },
      isObject(others) && Object.keys(others).length > 0 && { value: others },
    ];
  }),
};
