import type { JSX } from 'preact';
import { CodeBlock } from '../../components/kit.tsx';
import { Markdown } from '../../components/markdown.tsx';
import { PageLines, PageText } from '../../components/page-text.tsx';
import { itemsOf, textIn, other, pageOf } from '../../components/read-json.ts';
import { withoutTitle } from '../../components/text.ts';
import { ofState, type View } from '../face.ts';

/**
 * Text of a page, with a search.
 * @param title shown above the text, and so not again at its beginning
 */
const drawPage = (text: string, title: string | null, as: string, label: string): JSX.Element => (
  <PageText text={text}>
    {(isWhole) =>
      as === 'markdown' ? (
        <Markdown text={withoutTitle(text, title)} isWhole={isWhole} />
      ) : as === 'snapshot' ? (
        <PageLines text={text} label={label} isDiff isWhole={isWhole} />
      ) : (
        <CodeBlock text={text} label={label} isWhole={isWhole} />
      )
    }
  </PageText>
);

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
