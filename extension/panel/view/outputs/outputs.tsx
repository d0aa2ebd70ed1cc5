import { useTexts } from '../../../words/use-texts.ts';
import { partTexts } from '../../../words/en/parts.ts';
import { usePanel } from '../panel-context.tsx';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ShownOutput } from '../../feed/home-lists.ts';
import type { PanelFeed } from '../../feed/panel-feed.ts';
import { Opened } from './opened.tsx';
import { OpenedOutput } from './opened-output.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { formatNear, formatSize } from '../../../words/format.ts';
import { Choice, ListPart, optionsOf } from '../lists.tsx';
import { useToolTitle } from '../call-face.tsx';
import { useClock } from '../../components/use-clock.ts';

interface OutputsProps {
  /** The opened handle; null for the list. */
  readonly opened: string | null;
  readonly onOpen: (handle: string | null) => void;
}

/** The stored outputs of all homes, and an opened one. */
export function Outputs({ opened, onOpen }: OutputsProps): JSX.Element {
  const { feed } = usePanel();
  const listed = feed.outputs.rows.value.find(({ output }) => output.handle === opened) ?? null;
  const output = useOpened(feed, opened, listed);
  if (output === null) return <OutputList onOpen={onOpen} />;
  return (
    <Opened key={output.handle} output={output} listed={listed?.output ?? null} onBack={() => onOpen(null)} />
  );
}

/** Made once per handle: the list may be read again meanwhile. */
function useOpened(feed: PanelFeed, handle: string | null, listed: ShownOutput | null): OpenedOutput | null {
  return useMemo(() => {
    if (handle === null) return null;
    const homes = [listed, ...feed.servers.value].flatMap((of) => of?.home ?? []);
    const isItems = listed?.output.kind === 'items';
    return new OpenedOutput(feed.outputs, { handle, homes: [...new Set(homes)], isItems });
  }, [feed, handle]);
}

/** The stored outputs, newest first. */
function OutputList({ onOpen }: { readonly onOpen: (handle: string) => void }): JSX.Element {
  const store = usePanel().feed.outputs;
  const words = useTexts(partTexts).outputs;
  const all = store.rows.value;
  const [tool, setTool] = useState('');
  const [text, setText] = useState('');
  const [selected, select] = useState<string | null>(null);
  const now = useClock(true);
  const shown = all.filter((one) => isLike(one, tool, text.trim().toLowerCase()));
  const tools = optionsOf(
    all.map(({ output }) => output.source_tool),
    useToolTitle(),
  );
  return (
    <div class="timeline-part outputs-part">
      <ListPart
        name="output"
        words={words}
        store={store}
        filters={
          <>
            <Choice label={words.tool} all={words.allTools} value={tool} options={tools} onChange={setTool} />
            <input
              type="search"
              aria-label={words.text}
              placeholder={words.text}
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </>
        }
        count={all.length}
        rows={shown}
        keyOf={({ output }) => output.handle}
        selected={selected}
        onSelect={select}
        onOpen={onOpen}
        end={words.shown(shown.length, store.total.value)}
      >
        {(row) => <OutputRow row={row} now={now} />}
      </ListPart>
    </div>
  );
}

function isLike({ output }: ShownOutput, tool: string, text: string): boolean {
  if (tool !== '' && output.source_tool !== tool) return false;
  const { handle, source_tool: name, mime_type: type, kept, page } = output;
  return (
    text === '' ||
    [handle, name, type, kept?.note ?? '', page ?? ''].some((part) => part.toLowerCase().includes(text))
  );
}

interface RowProps {
  readonly row: ShownOutput;
  readonly now: number;
}

function OutputRow({ row: { output }, now }: RowProps): JSX.Element {
  const words = useTexts(partTexts).outputs;
  const { handle, item_count: items, expires_at_ms: end, kept = null, page = null } = output;
  return (
    <>
      <span class="what">
        <b class="tool">{useToolTitle()(output.source_tool)}</b>{' '}
        {page === null || page === '' ? (
          <code>{reveal(handle)}</code>
        ) : (
          <bdi class="subject">{reveal(page)}</bdi>
        )}
      </span>
      <span class="figure">{formatSize(output.size_bytes)}</span>
      <span class="quiet sub">
        {[
          items === null ? words.kinds[output.kind] : words.items(items),
          formatNear(output.created_at_ms, now),
          kept !== null
            ? words.keptForGood
            : end > now
              ? words.keptUntil(formatNear(end, now))
              : words.expired,
          ...(kept === null || kept.note === null ? [] : [reveal(kept.note)]),
          ...(page === null || page === '' ? [] : [handle]),
        ].join(' · ')}
      </span>
    </>
  );
}
