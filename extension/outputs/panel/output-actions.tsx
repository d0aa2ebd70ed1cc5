import { Button, Problem, CopyButton } from '../../ui/kit.tsx';
import { useAttempt, usePanel } from '../../ui/frame/panel-context.tsx';
import { outputTexts } from '../../ui/words/en/parts.ts';
import { useTexts } from '../../ui/words/use-texts.ts';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { messageOf } from '../../../shared/base/message-of.ts';
import type { FeedAnswer } from '../../ui/frame/feed-port.ts';
import type { ListedOutput } from '../../ui/frame/home-lists.ts';
import { formatSize } from '../../ui/words/format.ts';
import { save } from '../../ui/save.ts';
import { fileName, readAll, TooLarge } from './export.ts';
import type { OpenedOutput } from './opened-output.ts';

/** A larger clipboard stalls other programs: it should be saved as a file. */
const COPY_MAX_BYTES = 16 * 1024 * 1024;
const QUICK_MS = 300;

export interface OfOutput {
  readonly output: OpenedOutput;
  /** Null if it is not in the list. */
  readonly listed: ListedOutput | null;
}
type OnDeleted = { readonly onDeleted: () => void };

const pickOutputPlace = ({ home, handle }: OpenedOutput) => ({ home, handle });

/** Whether it is kept until somebody releases it. */
export const isKeptIn = (listed: OfOutput['listed']): boolean => (listed?.kept ?? null) !== null;

/** Copy, export, keep and delete. */
export function OutputActions({ output, listed, onDeleted }: OfOutput & OnDeleted) {
  const { isPanel } = usePanel().state;
  const words = useTexts(outputTexts);
  const page = output.page.value;
  const isWhole = page !== null && page.offset === 0 && page.next_offset === null;
  const text = page === null ? null : formatOutputPage(page);
  return (
    <div class="output-actions cluster">
      <CopyButton text={output.handle} name={words.copyHandle} />
      {text !== null && <CopyButton text={text} name={isWhole ? words.copyAll : words.copyPage} />}
      {text !== null && !isWhole && (
        <WithAll
          output={output}
          name={words.copyAll}
          reading={words.copying}
          failed={words.copyFailed}
          most={{
            bytes: COPY_MAX_BYTES,
            exceeded: words.tooLargeToCopy({ limit: formatSize(COPY_MAX_BYTES) }),
          }}
          use={async (all) => {
            const whole = all.then((blob) => new Blob([blob], { type: 'text/plain' }));
            // Called at once, since a press allows clipboard writes only for a few seconds.
            const written = navigator.clipboard.write([new ClipboardItem({ 'text/plain': whole })]);
            const [{ size }] = await Promise.all([whole, written]);
            return words.copied({ size: formatSize(size) });
          }}
        />
      )}
      <WithAll
        output={output}
        name={words.exportFile}
        reading={words.exporting}
        failed={words.exportFailed}
        use={async (all) => {
          const blob = await all;
          const name = fileName(listed?.source_tool ?? 'output', output.handle, blob.type);
          save(blob, name);
          return words.exported({ name });
        }}
      />
      {isPanel && listed !== null && <Keep output={output} listed={listed} />}
      {isPanel && <Delete output={output} onDeleted={onDeleted} />}
    </div>
  );
}

/** The text of a page; null for a file. */
const formatOutputPage = ({ unit, items, text }: FeedAnswer<'outputs.page'>): string | null =>
  unit === 'items' ? JSON.stringify(items, null, 2) : (text ?? null);

interface WithAllProps extends Pick<OfOutput, 'output'> {
  readonly name: string;
  readonly reading: (values: { done: string; total: string }) => string;
  readonly failed: (values: { why: string }) => string;
  readonly most?: { readonly bytes: number; readonly exceeded: string };
  /** Uses all of it. Resolves with a message to show. */
  readonly use: (all: Promise<Blob>) => Promise<string>;
}

/** Reads a whole output for some use. Shows progress and a cancel button once that takes a while. */
function WithAll({ output, name, reading, failed, most, use }: WithAllProps) {
  const { client } = usePanel().feed;
  const { cancel } = useTexts(outputTexts);
  /** How far it has been read; else a message, or nothing. */
  const [state, setState] = useState<string | { readonly done: number; readonly total: number }>('');
  const work = useRef<AbortController | null>(null);
  useEffect(() => () => work.current?.abort(), []);
  const start = async (): Promise<void> => {
    const controller = (work.current = new AbortController());
    const { signal } = controller;
    let far = { done: 0, total: 0 };
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      setState(far);
    }, QUICK_MS);
    setState('');
    try {
      const all = readAll((page) => client.ask('outputs.page', page), pickOutputPlace(output), {
        signal,
        maxBytes: most?.bytes,
        onProgress: (done, total) => {
          far = { done, total };
          if (isSlow) setState(far);
        },
      });
      setState(await use(all));
    } catch (thrown) {
      if (signal.aborted) setState('');
      else setState(thrown instanceof TooLarge ? (most?.exceeded ?? '') : failed({ why: messageOf(thrown) }));
    } finally {
      clearTimeout(timer);
      // Something other than reading may have failed.
      controller.abort();
      work.current = null;
    }
  };
  const isReading = typeof state !== 'string';
  const press = (): void => {
    if (isReading) work.current?.abort();
    else if (work.current === null) void start();
  };
  return (
    <>
      {/* One button, so that the focus stays. */}
      <Button onClick={press}>{isReading ? cancel : name}</Button>
      {isReading && <progress max={Math.max(1, state.total)} value={state.done} aria-label={name} />}
      <span class="quiet" role="status">
        {isReading ? reading({ done: formatSize(state.done), total: formatSize(state.total) }) : state}
      </span>
    </>
  );
}

/** Keeps it, or lets it expire: one button, so that the focus stays. An output that an agent keeps has both. */
function Keep({ output, listed }: OfOutput) {
  const { client, outputs } = usePanel().feed;
  const words = useTexts(outputTexts);
  const [problem, attempt] = useAttempt();
  const first = useRef<HTMLButtonElement>(null);
  const isOfAgent = listed?.kept?.by === 'agent';
  const keeps = isOfAgent || !isKeptIn(listed);
  const change = async (keep: boolean): Promise<void> => {
    // The other button disappears.
    first.current?.focus();
    const asks = { ...pickOutputPlace(output), keep, where: 'side_panel' } as const;
    await attempt(client.ask('outputs.keep', asks).then(() => outputs.refresh()));
  };
  return (
    <>
      <Button at={first} onClick={() => void change(keeps)}>
        {keeps ? words.keep : words.release}
      </Button>
      {isOfAgent && <Button onClick={() => void change(false)}>{words.release}</Button>}
      <Problem>{problem && words.keepFailed({ why: problem })}</Problem>
    </>
  );
}

/** Asks once. The browser moves the focus into the question, and back. */
function Delete({ output, onDeleted }: Pick<OfOutput, 'output'> & OnDeleted) {
  const { client, outputs } = usePanel().feed;
  const words = useTexts(outputTexts);
  const [problem, attempt] = useAttempt();
  const id = useId();
  const go = async (): Promise<void> => {
    const asks = { ...pickOutputPlace(output), where: 'side_panel' } as const;
    if (await attempt(client.ask('outputs.delete', asks).then(() => outputs.refresh()))) onDeleted();
  };
  return (
    <>
      <Button kind="stop" popovertarget={id}>
        {words.remove}
      </Button>
      <Problem>{problem && words.removeFailed({ why: problem })}</Problem>
      <div id={id} popover="auto" class="sure box" role="dialog" aria-label={words.removeSure}>
        <p>{words.removeSure}</p>
        <Button autofocus popovertarget={id}>
          {words.removeNo}
        </Button>
        <Button kind="stop" popovertarget={id} onClick={() => void go()}>
          {words.remove}
        </Button>
      </div>
    </>
  );
}
