import { PageText } from '../../ui/page-text.tsx';
import { pageOf } from '../../ui/shown.ts';
import { face } from '../../ui/faces/blocks.tsx';

export const PAGE_RENDERS = {
  read_page: face('read_page', ({ call, value: { items }, text, state, words: { read_page: words } }) => {
    const as = String(call.args.format ?? state.format ?? 'markdown');
    const label = { snapshot: words.snapshot, html: words.html }[as] ?? words.text;
    const title = state.title ?? null;
    return [
      pageOf(state),
      items !== undefined && { records: items },
      text !== '' && { own: <PageText text={text} title={title} as={as} label={label} /> },
    ];
  }),
};
