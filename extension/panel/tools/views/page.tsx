import type { JSX } from 'preact';
import { CodeBlock } from '../../components/kit.tsx';
import { PageLines, PageText } from '../../components/page-text.tsx';
import { itemsOf, textIn, other, pageOf } from '../../components/read-json.ts';
import { ofState, type View } from '../face.ts';

/** Text of a page, with a search. */
function drawPage(text: string, title: string | null, as: string, label: string): JSX.Element {
  if (as === 'markdown') return <PageText text={text} title={title} />;
  const draw = (isWhole: boolean): JSX.Element =>
    as === 'snapshot' ? (
      <PageLines text={text} label={label} isDiff isWhole={isWhole} />
    ) : (
      <CodeBlock text={text} label={label} isWhole={isWhole} />
    );
  return <PageText text={text} title={title} draw={draw} />;
}

export const PAGE_VIEWS = {
  read_page: ofState(({ call, value, state, words: { read_page: words } }) => {
    const { format = textIn(state, 'format') ?? 'markdown' } = call.args;
    const title = textIn(state, 'title');
    const items = itemsOf(value);
    const label = { snapshot: words.snapshot, html: words.html }[String(format)] ?? words.text;
    return [
      pageOf(state),
      items !== null && { records: items },
      typeof value === 'string' && value !== '' && { own: drawPage(value, title, String(format), label) },
      items === null && other(value),
    ];
  }),
} satisfies Readonly<Record<string, View>>;
