import { formatNumber } from '../../ui/words/format.ts';
import { code, figure, logLine, momentOf, wordFor } from '../../ui/shown.ts';
import { toneOfRun } from '../../ui/run-facts.tsx';
import { face } from '../../ui/faces/blocks.tsx';
import type { Blocks, Given, Line, ShownRun } from '../../ui/faces/face.ts';

function positionOf(
  { value, actions: { openOutput } }: Given<'oc_output_fetch'>,
  { oc_output_fetch: words, runs: { openOutput: open } }: Given['words'],
): Line {
  const { output_handle: handle, offset = 0, returned = 0, total = 0, content, eof } = value;
  const range = Array.isArray(content) ? words.items : words.bytes;
  const shown = range({ first: offset + 1, last: offset + returned, all: total });
  return {
    code: handle,
    quiet: [returned === 0 ? words.nothing : shown],
    marks: [eof === true ? ['good', words.end] : ['plain', words.more]],
    press: handle !== undefined && openOutput && { name: open, label: open, do: () => openOutput(handle) },
  };
}

const statusOf = ({ status }: ShownRun, { status: words }: Given['words']['runs']): Line => ({
  marks: status === undefined ? [] : [[toneOfRun(status), wordFor(words, status)]],
});

/** One run; for a failed call, its last known state. */
function runOf({ answer, value, state }: Pick<Given<'run_status'>, 'answer' | 'value' | 'state'>): Blocks {
  const run = answer.value === undefined ? state : value;
  return [run.run_id !== undefined && { run }];
}

export const RUN_RENDERS = {
  run_status: face('run_status', runOf),
  run_cancel: face('run_cancel', runOf),
  run_resume: face('run_resume', runOf),
  run_output: face('run_output', ({ answer, value, words: { runs: words } }) => {
    if (answer.value === undefined) return [];
    const { run_id, status, output_handle: handle, content = [], eof, next_offset: next, total } = value;
    const isOpen = eof === false && next === total;
    return [
      run_id !== undefined && { run: { run_id, status, output_handle: handle ?? undefined } },
      content.length === 0 && isOpen ? { note: words.noItems } : { records: content, of: value },
      isOpen && { note: words.moreToCome },
    ];
  }),
  run_list: face('run_list', ({ value, actions: { openRun }, words: { runs: words, items: counted } }) => {
    const { runs, total } = value;
    if (runs === undefined) return [];
    if (runs.length === 0) return [{ note: words.noRuns }];
    const items = runs.map((run): Line => {
      const { run_id: id } = run;
      return {
        ...statusOf(run, words),
        title: run.tool ?? words.run,
        code: id,
        quiet: [figure(run.items, (count) => `${counted}: ${formatNumber(count)}`), momentOf(run.started_at)],
        press: openRun && { name: words.openRun, label: `${words.openRun} ${id}`, do: () => openRun(id) },
        blocks: [{ progress: run.progress }],
      };
    });
    return [{ items, label: words.list }, { note: words.total({ count: total ?? runs.length }) }];
  }),
  run_log: face('run_log', ({ value, words: { runs: words } }) => {
    const { lines, run_id: id } = value;
    const items = lines?.map(({ event, ...facts }) => logLine(facts, { title: event }));
    return [
      { line: { ...statusOf(value, words), code: id } },
      items !== undefined &&
        (items.length === 0 ? { note: words.noLines } : { items, as: 'ordered', label: words.log }),
    ];
  }),
  oc_output_fetch: face('oc_output_fetch', (given) => {
    const { call, answer, value, text, words: all } = given;
    const { content } = value;
    if (answer.value === undefined || text !== '') return [code(text)];
    const words = all.oc_output_fetch;
    return [
      { line: positionOf(given, all) },
      typeof content === 'string'
        ? code(content, 'code', call.args.encoding === 'base64' ? words.base64 : words.text)
        : content !== undefined && content.length > 0 && { records: content, of: value },
    ];
  }),
};
