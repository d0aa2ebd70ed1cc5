import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { reveal } from '../../../shared/policy/reveal.ts';
import { isObject } from '../../../shared/json.ts';
import { formatNumber, formatSize } from '../../words/format.ts';
import { Badge } from './badge.tsx';
import { readPageItem, summarise, type PageItem, type Row } from './layout.ts';
import { Link } from './link.tsx';
import { Detail, Opener, type ItemProps, type RowsProps } from './record-parts.tsx';
import { useWords } from './words.ts';

/** Pages of a crawl: title, address, how it begins. */
export const PageRows = (props: RowsProps): JSX.Element => (
  <ol class="c-lines" start={props.offset + 1}>
    {props.rows.map((row, position) => (
      <PageRow key={row.index} {...props} row={row} position={position} />
    ))}
  </ol>
);

function PageRow(props: ItemProps): JSX.Element {
  const { row, open, openLink } = props;
  const detailId = useId();
  const tooLarge = useTooLarge(row);
  const item = isObject(row.value) ? readPageItem(row.value) : null;
  return (
    <li>
      <div class="c-head">
        <Opener {...props} detailId={detailId}>
          <bdi class="c-name">{item === null ? tooLarge : reveal(item.title)}</bdi>
          {item?.status !== null && item?.status !== undefined && item.status >= 400 && (
            <Badge tone="bad">{item.status}</Badge>
          )}
        </Opener>
        {item !== null && <Link href={item.href} openLink={openLink} />}
      </div>
      {item !== null && <Begin item={item} />}
      {open === row.index && <Detail row={row} id={detailId} openLink={openLink} />}
    </li>
  );
}

/** How a page begins, or why it was not read. */
function Begin({ item: { error, excerpt } }: { readonly item: PageItem }): JSX.Element | null {
  if (error !== null) return <p class="c-excerpt bad">{reveal(error)}</p>;
  return excerpt === '' ? null : (
    <p class="c-excerpt" dir="auto">
      {reveal(excerpt)}
    </p>
  );
}

function useTooLarge({ oversizedBytes, index }: Row): string {
  const words = useWords();
  return oversizedBytes === undefined
    ? words.item(formatNumber(index + 1))
    : words.tooLarge(formatSize(oversizedBytes));
}

/** Anything else: a line of JSON an item. */
export const LineRows = (props: RowsProps): JSX.Element => (
  <ol class="c-lines" start={props.offset + 1}>
    {props.rows.map((row, position) => (
      <LineRow key={row.index} {...props} row={row} position={position} />
    ))}
  </ol>
);

function LineRow(props: ItemProps): JSX.Element {
  const { row, open, openLink } = props;
  const words = useWords();
  const detailId = useId();
  const tooLarge = useTooLarge(row);
  return (
    <li>
      <Opener {...props} detailId={detailId}>
        <span class="c-number">{formatNumber(row.index + 1)}</span>
        <code class="c-name">
          <bdi>
            {row.oversizedBytes === undefined ? reveal(summarise(row.value) || words.null) : tooLarge}
          </bdi>
        </code>
      </Opener>
      {open === row.index && <Detail row={row} id={detailId} openLink={openLink} />}
    </li>
  );
}
