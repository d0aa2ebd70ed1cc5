import { PageText } from '../../ui/page-text.tsx';
import { asText, itemsOf, textIn, other, pageOf } from '../../ui/read-json.ts';
import { ofState, type View } from '../../ui/faces/face.ts';

export const PAGE_VIEWS = {
  read_page: ofState(({ call, value, state, words: { read_page: words } }) => {
    const as = String(call.args.format ?? textIn(state, 'format') ?? 'markdown');
    const [text, title] = [asText(value), textIn(state, 'title')];
    const items = itemsOf(value);
    const label = { snapshot: words.snapshot, html: words.html }[as] ?? words.text;
    return [
      pageOf(state),
      items !== null && { records: items },
      text !== null && { own: <PageText text={text} title={title} as={as} label={label} /> },
      items === null && other(value),
    ];
  }),
} satisfies Readonly<Record<string, View>>;
