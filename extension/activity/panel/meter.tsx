import { Figures, Numbers } from '../../ui/figures.tsx';
import { Button, Problem } from '../../ui/kit.tsx';
import { sessionMark } from '../../ui/text.ts';
import { useAttempt, usePanel, usePanelWords } from '../../ui/frame/panel-context.tsx';
import { useEffect } from 'preact/hooks';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import { isHiddenTool } from '../../../shared/core/tools/names.ts';
import type { MeterReading as Reading } from '../../../shared/core/meter.ts';
import { formatNumber, formatSize } from '../../ui/words/format.ts';
import { useToolTitle } from '../../ui/frame/call-face.tsx';

export function Meter() {
  const { feed } = usePanel();
  const { meter: words, parts, ...strings } = usePanelWords();
  const titleOf = useToolTitle();
  const { meters, state } = feed.meter;
  useEffect(() => feed.meter.show(), [feed]);
  const readings = meters.value.map(({ reading }) => reading);
  const total = sumOf(readings.map((reading) => reading.total));
  const figures = [
    [strings.tokens, formatNumber(total.tokens)],
    [words.saved, formatNumber(total.saved_tokens)],
    [strings.calls, formatNumber(total.calls)],
    [strings.size, formatSize(total.bytes)],
  ] as const;
  return (
    <section aria-labelledby="meter-title" class="meter">
      <h2 id="meter-title">{parts.meter}</h2>
      <Problem>{state.value === 'failed' ? words.failed : null}</Problem>
      <Numbers all={figures} />
      <ul class="agents">
        {meters.value.flatMap(({ server, reading }) =>
          reading.sessions.map((session) => (
            <SessionRow key={`${server} ${session.session}`} server={server} session={session} />
          )),
        )}
      </ul>
      <Names title={strings.agents} named={readings.flatMap(({ agents }) => agents)} titleOf={reveal} />
      <Names
        title={strings.tools}
        named={readings.flatMap(({ tools }) => tools).filter(({ name }) => !isHiddenTool(name))}
        titleOf={titleOf}
      />
    </section>
  );
}

type RowProps = { readonly server: string; readonly session: Reading['sessions'][number] };

function SessionRow({ server, session }: RowProps) {
  const { feed, state } = usePanel();
  const { meter: words, now } = usePanelWords();
  const { agent, figures, budget } = session;
  const [problem, attempt] = useAttempt();
  const act = async (tokens: number | null): Promise<void> => {
    const asks = { server, session: session.session, tokens, where: 'side_panel' } as const;
    await attempt(feed.client.ask('budget.lift', asks));
    await feed.meter.refresh();
  };
  return (
    <li class="run">
      <div class="line">
        <span class="what">
          <b>{reveal(agent)}</b>{' '}
          <bdi class="subject">{now.session({ id: sessionMark(session.session) })}</bdi>
        </span>
        <span class="status fixed quiet">{words.used({ tokens: formatNumber(figures.tokens) })}</span>
      </div>
      {budget !== null && (
        <>
          <progress
            class={budget.state}
            max={budget.tokens}
            value={budget.tokens - budget.left}
            aria-label={words.budgetOf({ agent: reveal(agent) })}
          />
          <p class={budget.state === 'fine' ? 'quiet' : 'problem'}>
            {words.left({ left: formatNumber(budget.left), all: formatNumber(budget.tokens) })}
          </p>
          {state.isPanel && (
            <div class="cluster">
              <Button onClick={() => void act(budget.tokens)}>
                {words.more({ tokens: formatNumber(budget.tokens) })}
              </Button>
              <Button onClick={() => void act(null)}>{words.noBudget}</Button>
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
  readonly named: Reading['tools'];
  readonly titleOf: (name: string) => string;
}

/** One line per name across servers; most tokens first. */
function Names({ title, named, titleOf }: NamesProps) {
  const words = usePanelWords();
  const rows = [...new Set(named.map(({ name }) => name))]
    .map((name) => ({
      name,
      figures: sumOf(named.filter((one) => one.name === name).map(({ figures }) => figures)),
    }))
    .toSorted((one, other) => other.figures.tokens - one.figures.tokens)
    .map(({ name, figures: of }) => [titleOf(name), ...[of.calls, of.tokens].map(formatNumber)]);
  if (rows.length === 0) return null;
  return <Figures table={[[words.name, words.calls, words.tokens], ...rows]} label={title} />;
}

function sumOf(all: readonly Reading['total'][]): Reading['total'] {
  const sum = { calls: 0, bytes: 0, tokens: 0, saved_tokens: 0 };
  for (const figures of all)
    for (const name of ['calls', 'bytes', 'tokens', 'saved_tokens'] as const) sum[name] += figures[name];
  return sum;
}
