import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { reveal } from '../../../shared/policy/reveal.ts';
import { useWords } from '../../words/en/components.ts';

/** Types that cannot run anything. */
const TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

interface Props {
  readonly mimeType: string;
  readonly base64: string;
  readonly alt: string;
}

/** An embedded picture: nothing is loaded for it. */
export function Picture({ mimeType, base64, alt }: Props): JSX.Element {
  const words = useWords();
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed || !TYPES.includes(mimeType)) return <p class="c-quiet">{words.noPicture}</p>;
  return (
    <img
      class="c-picture"
      src={`data:${mimeType};base64,${base64}`}
      alt={alt === '' ? words.picture : reveal(alt)}
      onError={() => setFailed(true)}
    />
  );
}
