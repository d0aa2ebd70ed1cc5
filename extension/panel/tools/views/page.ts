import { itemsOf, textIn } from '../../components/read-json.ts';
import { ofState, type View } from '../block.ts';
import { other, pageOf } from './values.ts';

/** A page as it was read. */
export const PAGE_VIEWS = {
  read_page: ofState(({ call, value, state, words: { read_page: words } }) => {
    const { format = textIn(state, 'format') ?? 'markdown' } = call.args;
    const title = textIn(state, 'title');
    const items = itemsOf(value);
    const label = { snapshot: words.snapshot, html: words.html }[String(format)] ?? words.text;
    return [
      pageOf(state),
      items !== null && { records: items },
      typeof value === 'string' && value !== '' && { page: value, title, as: String(format), label },
      items === null && other(value),
    ];
  }),
} satisfies Readonly<Record<string, View>>;
