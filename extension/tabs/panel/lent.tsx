import { reveal } from '../../../shared/core/policy/reveal.ts';
import { formatList } from '../../ui/words/format.ts';
import { Address } from '../../people/panel/address.tsx';
import { Button, theirs } from '../../ui/kit.tsx';
import { usePanel } from '../../ui/frame/panel-context.tsx';

/** The person's tabs that agents use, and the front one to give. */
export function LentTabs() {
  const { state, strings, request } = usePanel();
  const { lent, own, isPanel } = state;
  const words = strings.lent;
  return (
    <>
      {lent.length > 0 && (
        <section aria-labelledby="lent-title">
          <h2 id="lent-title">{words.title}</h2>
          <ul class="rows divided">
            {lent.map(({ id, agent, origin, scope, title }) => (
              <li key={id} class="line">
                <div>
                  <p>{theirs(title === '' ? origin : title)}</p>
                  {origin !== 'null' && <Address url={origin} />}
                  <p class="quiet">
                    {theirs(agent)}, {scope === 'once' ? words.once : strings.scopes.task}
                  </p>
                </div>
                {isPanel && (
                  <button
                    type="button"
                    class="end"
                    aria-label={words.takeBackOf({ title: reveal(title), agent: reveal(agent) })}
                    onClick={() => request({ type: 'revoke', grant: id })}
                  >
                    {words.takeBack}
                  </button>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {isPanel && own.front !== null && <GiveTab {...own} front={own.front} />}
    </>
  );
}

type Own = ReturnType<typeof usePanel>['state']['own'];
type GiveTabProps = Pick<Own, 'servers'> & { readonly front: NonNullable<Own['front']> };

function GiveTab({ servers, front: { lentTo } }: GiveTabProps) {
  const { request, strings } = usePanel();
  const agents = servers.flatMap(({ instance: server, clients }) =>
    clients.map(({ name: agent }) => ({ server, agent })),
  );
  const others = agents.filter(
    (one) => !lentTo.some(({ server, agent }) => server === one.server && agent === one.agent),
  );
  return (
    <section class="pick">
      {lentTo.length > 0 && (
        <p class="quiet">
          {strings.lent.given({ agents: formatList(lentTo.map(({ agent }) => reveal(agent))) })}
        </p>
      )}
      {others.map((to) => (
        <Button key={`${to.server} ${to.agent}`} onClick={() => request({ type: 'give', ...to })}>
          {strings.lent.give({ agent: reveal(to.agent) })}
        </Button>
      ))}
    </section>
  );
}
