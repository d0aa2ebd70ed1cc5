import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { JsonValue } from '../../../../shared/json.ts';
import type { Answer } from '../../feed-protocol.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Markdown } from '../../components/markdown.tsx';
import { Picture } from '../../components/picture.tsx';
import { RecordTable } from '../../components/record-table.tsx';
import { formatSize } from '../../../words/format.ts';
import type { OutputsStrings } from '../../words/outputs.ts';
import { ActionsContext } from '../faces/face-props.ts';
import type { OpenedOutput } from './opened-output.ts';

interface Props {
  readonly output: OpenedOutput;
  readonly page: Answer<'output_page'>;
  readonly words: OutputsStrings;
}

/** One page of what is stored, as what it is. */
export function Content({ output, page, words }: Props): JSX.Element {
  if (page.total === 0) return <p class="quiet">{words.empty}</p>;
  if (page.unit === 'items') return <Items output={output} page={page} />;
  return (
    <>
      <Bytes page={page} words={words} />
      {(output.hasPrevious || page.next_offset !== null) && page.text !== undefined && (
        <nav class="byte-pages" aria-label={words.pages}>
          <button
            type="button"
            class="small"
            aria-disabled={!output.hasPrevious}
            onClick={() => void output.previous()}
          >
            {words.previousPage}
          </button>
          <button
            type="button"
            class="small"
            aria-disabled={page.next_offset === null}
            onClick={() => void output.next()}
          >
            {words.nextPage}
          </button>
          <span class="quiet">
            {words.bytes(
              formatSize(page.offset),
              formatSize(page.next_offset ?? page.total),
              formatSize(page.total),
            )}
          </span>
        </nav>
      )}
    </>
  );
}

function Items({ output, page }: Omit<Props, 'words'>): JSX.Element {
  const { openLink } = useContext(ActionsContext);
  const oversized = new Map((page.oversized ?? []).map(({ index, size_bytes: size }) => [index, size]));
  return (
    <RecordTable
      rows={page.items ?? []}
      offset={page.offset}
      total={page.total}
      openLink={openLink}
      oversized={oversized}
      pager={{
        hasPrevious: output.hasPrevious,
        hasNext: page.next_offset !== null,
        turn: (direction) => (direction === 'next' ? output.next() : output.previous()),
      }}
    />
  );
}

function Bytes({ page, words }: Pick<Props, 'page' | 'words'>): JSX.Element {
  const { openLink } = useContext(ActionsContext);
  const { text, base64, mime_type: type, total, offset, next_offset: next } = page;
  if (text === undefined) {
    const isWhole = offset === 0 && next === null;
    if (isWhole && type.startsWith('image/')) return <Picture mimeType={type} base64={base64 ?? ''} alt="" />;
    return <p class="quiet">{words.binary}</p>;
  }
  // Markdown means something from its beginning on: pages after the first are shown as they are written.
  if (type.startsWith('text/markdown') && offset === 0 && next === null)
    return <Markdown text={text} openLink={openLink} />;
  const json = isWholeJson(page) ? parsed(text) : undefined;
  if (isList(json)) return <RecordTable rows={json} openLink={openLink} />;
  return (
    <CodeBlock
      text={json === undefined ? text : JSON.stringify(json, null, 2)}
      label={`${type}, ${formatSize(total)}`}
    />
  );
}

const isWholeJson = ({ mime_type: type, offset, next_offset: next }: Answer<'output_page'>): boolean =>
  type.startsWith('application/json') && offset === 0 && next === null;

/** Undefined for what is not JSON, whatever its type says. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isList = (value: unknown): value is readonly JsonValue[] => Array.isArray(value);
