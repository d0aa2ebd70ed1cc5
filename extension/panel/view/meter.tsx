import { Button, Problem } from '../components/kit.tsx';
import { problemOf, usePanel, usePanelWords } from './panel-context.tsx';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { reveal } from '../../../shared/policy/reveal.ts';
import { isHiddenTool } from '../../../shared/tools/names.ts';
import type { ServerMeter } from '../../ports/feed.ts';
import { formatNumber, formatSize } from '../../words/format.ts';
import { useToolTitle } from './call-face.tsx';

type Reading = ServerMeter['reading'];
type Session = Reading['sessions'][number];
type Named = Reading['tools'][number];

export function Meter(): JSX.Element {
  const { feed } = usePanel();
  const strings = usePanelWords();
  const { meter: words } = strings;
  const titleOf = useToolTitle();
  const { meters, state } = feed.meter;
  useEffect(() => feed.meter.show(), [feed]);
  const total = sumOf(meters.value.map(({ reading }) => reading.total));
  return (
    <section aria-labelledby="meter-title" class="meter">
      <h2 id="meter-title">{strings.parts.meter}</h2>
      <Problem>{state.value === 'failed' ? words.failed : null}</Problem>
      <dl class="figures">
        <Figure name={words.tokens} value={formatNumber(total.tokens)} />
        <Figure name={words.saved} value={formatNumber(total.saved_tokens)} />
        <Figure name={words.calls} value={formatNumber(total.calls)} />
        <Figure name={words.size} value={formatSize(total.bytes)} />
      </dl>
      <ul class="agents">
        {meters.value.flatMap(({ server, reading }) =>
          reading.sessions.map((session) => (
            <SessionRow key={`${server} ${session.session}`} server={server} session={session} />
          )),
        )}
      </ul>
      <Names title={words.agents} named={meters.value.flatMap(({ reading }) => reading.agents)} />
      <Names
        title={words.tools}
        named={meters.value.flatMap(({ reading }) => reading.tools).filter(({ name }) => !isHiddenTool(name))}
        titleOf={titleOf}
      />
    </section>
  );
}

const Figure = ({ name, value }: { readonly name: string; readonly value: string }): JSX.Element => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

interface RowProps {
  readonly server: string;
  readonly session: Session;
}

function SessionRow({ server, session }: RowProps): JSX.Element {
  const { feed, state } = usePanel();
  const strings = usePanelWords();
  const { meter: words } = strings;
  const { agent, figures, budget } = session;
  const [problem, setProblem] = useState<string | null>(null);
  const act = (tokens: number | null): void => {
    const lifted = problemOf(
      feed.client.ask('budget.lift', { server, session: session.session, tokens, where: 'side_panel' }),
    );
    void lifted.then(setProblem).then(() => feed.meter.refresh());
  };
  return (
    <li class="run">
      <div class="line">
        <span class="what">
          <b>{reveal(agent)}</b> <bdi class="subject">{strings.now.session(session.session.slice(-6))}</bdi>
        </span>
        <span class="status">{words.used(formatNumber(figures.tokens))}</span>
      </div>
      {budget !== null && (
        <>
          <progress
            class={budget.state}
            max={budget.tokens}
            value={budget.tokens - budget.left}
            aria-label={words.budgetOf(reveal(agent))}
          />
          <p class={budget.state === 'fine' ? 'quiet' : 'problem'}>
            {words.left(formatNumber(budget.left), formatNumber(budget.tokens))}
          </p>
          {state.isPanel && (
            <div class="lifts">
              <Button onClick={() => act(budget.tokens)}>{words.more(formatNumber(budget.tokens))}</Button>
              <Button onClick={() => act(null)}>{words.noBudget}</Button>
            </div>
          )}
        </>
      )}
      <Problem>{problem}</Problem>
    </li>
  );
}

interface NamesProps {
  readonly title: string;
  readonly named: readonly Named[];
  readonly titleOf?: (name: string) => string;
}

/** One line per name across servers; most tokens first. */
function Names({ title, named, titleOf = reveal }: NamesProps): JSX.Element | null {
  const { meter: words } = usePanelWords();
  const names = [...new Set(named.map(({ name }) => name))];
  const rows = names
    .map((name) => ({
      name,
      figures: sumOf(named.filter((one) => one.name === name).map(({ figures }) => figures)),
    }))
    .toSorted((one, other) => other.figures.tokens - one.figures.tokens);
  if (rows.length === 0) return null;
  return (
    <table>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{words.name}</th>
          <th scope="col">{words.calls}</th>
          <th scope="col">{words.tokens}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, figures }) => (
          <tr key={name}>
            <th scope="row">{titleOf(name)}</th>
            <td>{formatNumber(figures.calls)}</td>
            <td>{formatNumber(figures.tokens)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Figures = Reading['total'];

function sumOf(all: readonly Figures[]): Figures {
  const sum = { calls: 0, bytes: 0, tokens: 0, saved_tokens: 0 };
  for (const figures of all)
    for (const name of ['calls', 'bytes', 'tokens', 'saved_tokens'] as const) sum[name] += figures[name];
  return sum;
}
