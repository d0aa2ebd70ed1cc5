import type { ShownQuestion } from '../protocol.ts';
import { Address } from './address.tsx';
import { useCardWords } from '../../ui/words/en/card.ts';

/** From which sites the arguments have text, and how much. The passages are marked where the card shows them. */
export function Carried({ carried }: Pick<ShownQuestion, 'carried'>) {
  const { card } = useCardWords();
  if (carried.length === 0) return null;
  return (
    <section class="carried" aria-label={card.carried}>
      <h2>{card.carried}</h2>
      <ul>
        {carried.map(({ site, how, passages, characters }) => (
          <li key={site}>
            <SourceName site={site} />
            <p class="quiet">
              {characters === 0 ? card.carriedUnseen : card.carriedSize({ count: passages, characters })}
              {how === 'decoded' && ` ${card.carriedEncoded}`}
              {how === 'token' && ` ${card.carriedToken}`}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const SERVER = 'upstream://';

/** The origin of a source in a person's words: this computer and other servers have no address. */
function SourceName({ site }: { readonly site: string }) {
  const { card } = useCardWords();
  if (site === 'file://') return <b>{card.thisComputer}</b>;
  if (site.startsWith(SERVER)) return <b>{card.otherServer({ id: site.slice(SERVER.length) })}</b>;
  return <Address url={site} />;
}
