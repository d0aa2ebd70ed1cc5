import type { JSX } from 'preact';
import type { Strings } from '../words/strings.ts';

interface Props {
  /** Null until it has been taken. */
  readonly data: string | null;
  readonly strings: Strings;
}

/** The page where the call will act. Its room is there before the picture is, so that nothing moves when it comes. */
export function Picture({ data, strings: { card } }: Props): JSX.Element {
  return (
    <figure class="picture">
      <div class="frame">
        {data?.startsWith('data:image/webp;base64,') === true ? (
          <img src={data} alt={card.pictureAlt} />
        ) : (
          <span class="quiet">{card.pictureComing}</span>
        )}
      </div>
      <figcaption class="quiet">{card.picture}</figcaption>
    </figure>
  );
}
