import type { JSX } from 'preact';
import { CodeBlock } from '../../../../extension/panel/components/code-block.tsx';
import { KeyValues } from '../../../../extension/panel/components/key-values.tsx';
import { Picture } from '../../../../extension/panel/components/picture.tsx';
import { Value } from '../../../../extension/panel/components/value.tsx';
import { formatMoment, formatNumber, formatSize } from '../../../../extension/words/format.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import type { Shown, Stored } from '../model/answer.ts';
import type { WidgetProps } from './card.tsx';
import { Items } from './items.tsx';

interface Props extends WidgetProps {
  readonly shown: Shown;
  readonly canExport?: boolean;
}

/** Any result. */
export function AnyResult({ widget, shown, canExport = false }: Props): JSX.Element | null {
  const { value: words } = widget.words;
  switch (shown.kind) {
    case 'items':
      return <Items widget={widget} canExport={canExport} />;
    case 'page':
      return typeof shown.page.content === 'string' ? (
        <CodeBlock text={shown.page.content} label={words.text} />
      ) : (
        <Items widget={widget} handle={shown.page.output_handle} canExport={canExport} />
      );
    case 'stored':
      return <StoredBody widget={widget} stored={shown.stored} canExport={canExport} />;
    case 'text':
      return <CodeBlock text={shown.text} label={words.text} />;
    case 'picture':
      return <Picture {...shown.picture} alt={words.pictureOf(widget.title.value)} />;
    case 'value':
      return (
        <section aria-label={words.result}>
          <Value value={shown.value} openLink={widget.linkOpener()} />
        </section>
      );
    default:
      return null;
  }
}

interface StoredProps extends WidgetProps {
  readonly stored: Stored;
  readonly canExport: boolean;
}

/** What is stored: its facts, and its items as far as they can be read. */
function StoredBody({ widget, stored, canExport }: StoredProps): JSX.Element {
  const { value: words } = widget.words;
  const { preview, item_count } = stored;
  const hasItems = item_count !== null && (widget.items.page.value !== null || widget.items.isLoading.value);
  return (
    <section aria-label={words.stored}>
      <StoredFacts widget={widget} stored={stored} />
      {hasItems ? (
        <Items widget={widget} canExport={canExport} />
      ) : (
        preview !== null && preview !== '' && <CodeBlock text={preview} label={words.preview} />
      )}
    </section>
  );
}

export function StoredFacts({ widget, stored }: Omit<StoredProps, 'canExport'>): JSX.Element {
  const { value: words } = widget.words;
  const { output_handle, item_count, size_bytes, mime_type, expires_at } = stored;
  const expiresAt = Date.parse(expires_at);
  return (
    <KeyValues
      rows={[
        [words.handle, <code key="handle">{reveal(output_handle)}</code>],
        ...(item_count === null ? [] : [[words.items, formatNumber(item_count)] as const]),
        [words.size, words.sizeOf(formatSize(size_bytes), reveal(mime_type))],
        ...(Number.isNaN(expiresAt) ? [] : [[words.keptUntil, formatMoment(expiresAt)] as const]),
      ]}
    />
  );
}
