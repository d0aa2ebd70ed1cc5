import { reveal } from '../../../../shared/policy/reveal.ts';
import type { Intervention } from '../../tools/face.ts';
import { KeyValues } from '../key-values.tsx';
import { Value } from '../value.tsx';
import { generalTexts } from './words.ts';

/** Every argument of what a person is to approve. The card edits them as text, in which nothing is hidden. */
export const GeneralIntervention: Intervention = ({ args, language }) => {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  if (given.length === 0) return <p class="c-quiet">{generalTexts[language].noArguments}</p>;
  return (
    <KeyValues
      rows={given.map(([name, value]) => [
        <bdi>
          <code>{reveal(name)}</code>
        </bdi>,
        <Value value={value ?? null} />,
      ])}
    />
  );
};
