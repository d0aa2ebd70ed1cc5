import { type JsonObject, isObject } from '../../../shared/base/json.ts';
import { formatNumber } from '../../ui/words/format.ts';
import {
  asRecords,
  asText,
  listIn,
  numberIn,
  textIn,
  code,
  figure,
  logLine,
  momentOf,
  wordFor,
} from '../../ui/read-json.ts';
import { toneOfRun } from '../../ui/run-facts.tsx';
import { type Given, type Line, type View, ofState } from '../../ui/faces/face.ts';

function positionOf(
  page: JsonObject,
  { oc_output_fetch: words, runs: { openOutput: open } }: Given['words'],
  { openOutput }: Given['actions'],
): Line {
  const handle = textIn(page, 'output_handle');
  const offset = numberIn(page, 'offset') ?? 0;
  const returned = numberIn(page, 'returned') ?? 0;
  const total = numberIn(page, 'total') ?? 0;
  const range = Array.isArray(page['content']) ? words.items : words.bytes;
  const shown = range({ first: offset + 1, last: offset + returned, all: total });
  return {
    code: handle,
    quiet: [returned === 0 ? words.nothing : shown],
    marks: [page['eof'] === true ? ['good', words.end] : ['plain', words.more]],
    press: handle !== null && openOutput && { name: open, label: open, do: () => openOutput(handle) },
  };
}

function statusOf(run: JsonObject, { status: words }: Given['words']['runs']): Line {
  const status = textIn(run, 'status');
  return { marks: status === null ? [] : [[toneOfRun(status), wordFor(words, status)]] };
}

/** One run; for a failed call, its last known state. */
const runOf: View = ofState(({ value, state }) => {
  const run = isObject(value) ? value : state;
  return [textIn(run, 'run_id') !== null && { run }];
});

export const RUN_VIEWS = {
  run_status: runOf,
  run_cancel: runOf,
  run_resume: runOf,
  run_output: ({ value, words: { runs: words } }) => {
    if (!isObject(value)) return [];
    const { run_id, status, output_handle } = value;
    const items = listIn(value, 'content');
    const isOpen = value['eof'] === false && numberIn(value, 'next_offset') === numberIn(value, 'total');
    return [
      textIn(value, 'run_id') !== null && { run: { run_id, status, output_handle } },
      items.length === 0 && isOpen ? { note: words.noItems } : { records: items, of: value },
      isOpen && { note: words.moreToCome },
    ];
  },
  run_list: ({ value, actions: { openRun }, words: { runs: words, items: counted } }) => {
    if (!isObject(value)) return [];
    const runs = asRecords(value['runs']);
    if (runs.length === 0) return [{ note: words.noRuns }];
    const items = runs.map((run): Line => {
      const id = textIn(run, 'run_id') ?? '';
      return {
        ...statusOf(run, words),
        title: textIn(run, 'tool') ?? words.run,
        code: id,
        quiet: [
          figure(run, 'items', (count) => `${counted}: ${formatNumber(count)}`),
          momentOf(run['started_at']),
        ],
        press: openRun && { name: words.openRun, label: `${words.openRun} ${id}`, do: () => openRun(id) },
        blocks: [{ progress: run['progress'] }],
      };
    });
    return [
      { items, label: words.list },
      { note: words.total({ count: numberIn(value, 'total') ?? runs.length }) },
    ];
  },
  run_log: ({ value, words: { runs: words } }) => {
    if (!isObject(value)) return [];
    const items = asRecords(value['lines']).map(({ event, ...facts }) =>
      logLine(facts, { title: asText(event) ?? '' }),
    );
    return [
      { line: { ...statusOf(value, words), code: textIn(value, 'run_id') } },
      items.length === 0 ? { note: words.noLines } : { items, as: 'ordered', label: words.log },
    ];
  },
  oc_output_fetch: ({ value, actions, words: all }) => {
    const words = all.oc_output_fetch;
    if (!isObject(value)) return [code(value)];
    const { content } = value;
    const label = value['encoding'] === 'base64' ? words.base64 : words.text;
    return [
      { line: positionOf(value, all, actions) },
      Array.isArray(content) && content.length > 0 && { records: content, of: value },
      typeof content === 'string' && content !== '' && { text: content, as: 'code', label },
    ];
  },
} satisfies Readonly<Record<string, View>>;
