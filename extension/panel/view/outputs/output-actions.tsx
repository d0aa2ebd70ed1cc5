import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../../../../shared/message-of.ts';
import type { OutputList, OutputPage } from '../../answers-protocol.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import type { OutputsStore } from '../../feed/outputs-store.ts';
import { formatSize } from '../../../words/format.ts';
import type { OutputsStrings } from '../../words/outputs.ts';
import { fileName, readAll, save } from './export.ts';
import type { OpenedOutput } from './opened-output.ts';

interface Props {
  readonly output: OpenedOutput;
  readonly listed: OutputList['outputs'][number] | null;
  readonly store: OutputsStore;
  readonly words: OutputsStrings;
  readonly canDelete: boolean;
  readonly onDeleted: () => void;
}

/** What a person does with an output: copies it, exports it, deletes it. */
export function OutputActions({ output, listed, store, words, canDelete, onDeleted }: Props): JSX.Element {
  const page = output.page.value;
  const isWhole = page !== null && page.offset === 0 && page.next_offset === null;
  const text = page === null ? null : textOf(page);
  return (
    <div class="output-actions">
      <CopyButton text={output.handle} name={words.copyHandle} />
      {text !== null && <CopyButton text={text} name={isWhole ? words.copyAll : words.copyPage} />}
      <Export output={output} tool={listed?.source_tool ?? 'output'} store={store} words={words} />
      {canDelete && <Delete output={output} store={store} words={words} onDeleted={onDeleted} />}
    </div>
  );
}

/** The text of a page; null for a file. */
function textOf(page: OutputPage): string | null {
  if (page.unit === 'items') return JSON.stringify(page.items, null, 2);
  return page.text ?? null;
}

type Exported =
  | { readonly kind: 'idle' }
  | { readonly kind: 'reading'; readonly done: number; readonly total: number }
  | { readonly kind: 'done'; readonly name: string }
  | { readonly kind: 'failed'; readonly why: string };

interface ExportProps extends Pick<Props, 'output' | 'store' | 'words'> {
  readonly tool: string;
}

/** Reads all of it, and has the browser save it as a file. */
function Export({ output, tool, store, words }: ExportProps): JSX.Element {
  const [state, setState] = useState<Exported>({ kind: 'idle' });
  const reading = useRef<AbortController | null>(null);
  useEffect(() => () => reading.current?.abort(), []);
  const start = async (): Promise<void> => {
    const { signal } = (reading.current = new AbortController());
    setState({ kind: 'reading', done: 0, total: 0 });
    try {
      const place = { home: output.home, handle: output.handle };
      const blob = await readAll(store, place, {
        signal,
        onProgress: (done, total) => setState({ kind: 'reading', done, total }),
      });
      const name = fileName(tool, output.handle, blob.type);
      save(blob, name);
      setState({ kind: 'done', name });
    } catch (thrown) {
      setState(signal.aborted ? { kind: 'idle' } : { kind: 'failed', why: messageOf(thrown) });
    }
  };
  const isReading = state.kind === 'reading';
  return (
    <>
      {/* One button, so that the focus stays where it is. */}
      <button
        type="button"
        class="small"
        onClick={() => (isReading ? reading.current?.abort() : void start())}
      >
        {isReading ? words.cancel : words.exportFile}
      </button>
      {isReading && (
        <progress max={Math.max(1, state.total)} value={state.done} aria-label={words.exportFile} />
      )}
      <span class="quiet" role="status">
        {isReading && words.exporting(formatSize(state.done), formatSize(state.total))}
        {state.kind === 'done' && words.exported(state.name)}
        {state.kind === 'failed' && words.exportFailed(state.why)}
      </span>
    </>
  );
}

/** Asks once, in its place. */
function Delete({ output, store, words, onDeleted }: Omit<Props, 'listed' | 'canDelete'>): JSX.Element {
  const [isAsked, ask] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const keep = useRef<HTMLButtonElement>(null);
  const remove = useRef<HTMLButtonElement>(null);
  const wasAsked = useRef(false);
  useEffect(() => {
    // The button that was pressed has gone.
    if (isAsked) keep.current?.focus();
    else if (wasAsked.current) remove.current?.focus();
    wasAsked.current = isAsked;
  }, [isAsked]);
  const go = async (): Promise<void> => {
    try {
      await store.delete({ home: output.home, handle: output.handle });
      onDeleted();
    } catch (thrown) {
      setProblem(messageOf(thrown));
      ask(false);
    }
  };
  if (!isAsked)
    return (
      <>
        <button type="button" class="small stop" ref={remove} onClick={() => ask(true)}>
          {words.remove}
        </button>
        {problem !== null && (
          <span class="problem" role="alert">
            {words.removeFailed(problem)}
          </span>
        )}
      </>
    );
  return (
    <span class="sure" role="group" aria-label={words.removeSure}>
      <span>{words.removeSure}</span>
      <button type="button" class="small" ref={keep} onClick={() => ask(false)}>
        {words.removeNo}
      </button>
      <button type="button" class="small stop" onClick={() => void go()}>
        {words.removeYes}
      </button>
    </span>
  );
}
