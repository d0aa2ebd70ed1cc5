import { outputTexts } from '../../ui/words/en/parts.ts';
import { useTexts } from '../../ui/words/use-texts.ts';
import { type Opening, usePanel } from '../../ui/frame/panel-context.tsx';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ShownOutput } from '../../ui/frame/home-lists.ts';
import { Opened } from './opened.tsx';
import { OpenedOutput } from './opened-output.ts';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import { formatNear, formatSize } from '../../ui/words/format.ts';
import { Choices, ListPart, optionsOf } from '../../ui/frame/lists.tsx';
import { useToolTitle } from '../../ui/frame/call-face.tsx';
import { codeOf, FilterField } from '../../ui/kit.tsx';
import { useClock } from '../../ui/use-clock.ts';

/** The stored outputs of all homes, and an opened one. */
export function Outputs({ opened, onOpen }: Opening) {
  const { feed } = usePanel();
  const listed = feed.outputs.rows.value.find(({ output }) => output.handle === opened) ?? null;
  // Made once per handle: the list may be read again meanwhile.
  const output = useMemo(() => {
    if (opened === null) return null;
    const homes = [listed, ...feed.servers.value].flatMap((of) => of?.home ?? []);
    return new OpenedOutput(feed.client, opened, [...new Set(homes)], listed?.output.kind === 'items');
  }, [feed, opened]);
  const last = useRef(opened);
  if (opened !== null) last.current = opened;
  if (output === null) return <OutputList onOpen={onOpen} last={last.current} />;
  return (
    <Opened key={output.handle} output={output} listed={listed?.output ?? null} onBack={() => onOpen(null)} />
  );
}

interface ListProps {
  readonly onOpen: (handle: string) => void;
  /** The output that was open before; null if none was. */
  readonly last: string | null;
}

/** The stored outputs, newest first. */
function OutputList({ onOpen, last }: ListProps) {
  const store = usePanel().feed.outputs;
  const words = useTexts(outputTexts);
  const all = store.rows.value;
  const [tool, setTool] = useState<string>();
  const [text, setText] = useState('');
  const [selected, select] = useState(last);
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (last !== null) part.current?.querySelector<HTMLElement>('.list')?.focus();
  }, []);
  const now = useClock(true);
  const shown = all.filter((one) => isLike(one, tool, text.trim().toLowerCase()));
  const sources = all.map(({ output }) => output.source_tool);
  const tools = optionsOf(sources, useToolTitle());
  return (
    <div class="timeline-part outputs-part" ref={part}>
      <ListPart
        name="output"
        words={words}
        store={store}
        filters={
          <>
            <Choices
              words={words}
              filter={{ tool }}
              of={[['tool', words.allTools, tools]]}
              onChange={(_of, value) => setTool(value)}
            />
            <FilterField label={words.text} value={text} onInput={setText} />
          </>
        }
        count={all.length}
        rows={shown}
        keyOf={({ output }) => output.handle}
        selected={selected}
        onSelect={select}
        onOpen={onOpen}
        end={words.shown({ shown: shown.length, count: store.total.value })}
      >
        {(row) => <OutputRow row={row} now={now} />}
      </ListPart>
    </div>
  );
}

function isLike({ output }: ShownOutput, tool: string | undefined, text: string): boolean {
  if (tool !== undefined && output.source_tool !== tool) return false;
  const { handle, source_tool: name, mime_type: type, kept, page } = output;
  return (
    text === '' ||
    [handle, name, type, kept?.note ?? '', page ?? ''].some((part) => part.toLowerCase().includes(text))
  );
}

function OutputRow({ row, now }: { readonly row: ShownOutput; readonly now: number }) {
  const words = useTexts(outputTexts);
  const { output } = row;
  const { handle, item_count: items, expires_at_ms: end, kept = null } = output;
  const page = output.page ?? '';
  const note = kept?.note ?? null;
  const until = end > now ? words.keptUntil({ time: formatNear(end, now) }) : words.expired;
  return (
    <>
      <span class="what">
        <b class="tool">{useToolTitle()(output.source_tool)}</b>{' '}
        {page === '' ? codeOf(handle) : <bdi class="subject">{reveal(page)}</bdi>}
      </span>
      <span class="figure number tiny">{formatSize(output.size_bytes)}</span>
      <span class="sub quiet clip tiny">
        {[
          items === null ? words.kinds[output.kind] : words.items({ count: items }),
          formatNear(output.created_at_ms, now),
          kept === null ? until : words.keptForGood,
          ...(note === null ? [] : [reveal(note)]),
          ...(page === '' ? [] : [handle]),
        ].join(' · ')}
      </span>
    </>
  );
}
