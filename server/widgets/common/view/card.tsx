import type { ComponentType, JSX } from 'preact';
import { Icon } from '../../../../extension/panel/components/icon.tsx';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { revealLines } from '../../../../extension/panel/components/text.ts';
import { Value } from '../../../../extension/panel/components/value.tsx';
import { WordsContext } from '../../../../extension/panel/components/words.ts';
import type { Pending, Run, Shown, ShownError } from '../model/answer.ts';
import { otherNotes } from '../model/page-facts.ts';
import { messageOfError } from '../model/said.ts';
import { hasEnded, type ToolWidget } from '../model/tool-widget.ts';
import { Header } from './header.tsx';
import { Items } from './items.tsx';
import { RunProgress } from './progress.tsx';

export interface WidgetProps {
  readonly widget: ToolWidget;
}

/** What a widget shows of a call that has succeeded. */
export type Result = ComponentType<WidgetProps & { readonly shown: Shown }>;

interface CardProps extends WidgetProps {
  readonly result: Result;
}

/** The whole widget: what the call is, how far it is, what it has. */
export function Card({ widget, result }: CardProps): JSX.Element {
  const { shown, says, failure, language } = widget;
  return (
    <WordsContext.Provider value={language.value}>
      <div class="card">
        <Header widget={widget} />
        <Notice widget={widget} />
        <Body widget={widget} shown={shown.value} result={result} />
        {failure.value !== null && (
          <Problem widget={widget} error={failure.value} onRetry={() => widget.retry()} />
        )}
        <Notes widget={widget} />
        <p class="c-unseen" role="status">
          {reveal(says.value)}
        </p>
      </div>
    </WordsContext.Provider>
  );
}

function Body({ widget, shown, result: Shows }: CardProps & { readonly shown: Shown }): JSX.Element | null {
  switch (shown.kind) {
    case 'run':
      return <RunBody widget={widget} run={shown.run} />;
    case 'error':
      return <FailedBody widget={widget} error={shown.error} state={shown.state} />;
    case 'pending':
      return <PendingBody widget={widget} pending={shown.pending} />;
    case 'nothing':
      return <p class="quiet">{widget.words.value.inConversation}</p>;
    case 'waiting':
    case 'cancelled':
      return null;
    default:
      return <Shows widget={widget} shown={shown} />;
  }
}

function RunBody({ widget, run }: WidgetProps & { readonly run: Run }): JSX.Element {
  const { value: words } = widget.words;
  const isEmpty = hasEnded(run) && (run.items ?? run.progress.done) === 0;
  return (
    <>
      <RunProgress widget={widget} run={run} />
      {run.error !== undefined &&
        (run.status === 'cancelled' ? (
          <p class="quiet">{reveal(run.error.message)}</p>
        ) : (
          <Problem widget={widget} error={run.error} />
        ))}
      {run.status === 'interrupted' && <p class="quiet">{words.interrupted}</p>}
      {isEmpty ? <p class="c-empty">{words.noItems}</p> : <Items widget={widget} run={run} />}
    </>
  );
}

/** A failure, and what the work had come to by then. */
function FailedBody({
  widget,
  error,
  state,
}: WidgetProps & Pick<Extract<Shown, { kind: 'error' }>, 'error' | 'state'>): JSX.Element {
  return (
    <>
      <Problem widget={widget} error={error} />
      {state !== null && (
        <section aria-labelledby="before">
          <h2 id="before">{widget.words.value.before}</h2>
          <Value value={state} openLink={widget.linkOpener()} />
        </section>
      )}
    </>
  );
}

/** What a person is asked to approve; the decision is made elsewhere. */
function PendingBody({ widget, pending }: WidgetProps & { readonly pending: Pending }): JSX.Element {
  const { arguments: args, interaction } = pending;
  const { value: words } = widget.words;
  const openLink = widget.linkOpener();
  return (
    <>
      <p class="notice">{words.nothingDone}</p>
      {Object.keys(interaction).length > 0 && (
        <section aria-label={words.question}>
          <Value value={interaction} openLink={openLink} />
        </section>
      )}
      {Object.keys(args).length > 0 && (
        <section aria-labelledby="arguments">
          <h2 id="arguments">{words.arguments}</h2>
          <Value value={args} openLink={openLink} />
        </section>
      )}
    </>
  );
}

interface ProblemProps extends WidgetProps {
  readonly error: Omit<ShownError, 'retryable'>;
  readonly onRetry?: () => void;
}

function Problem({ widget, error, onRetry }: ProblemProps): JSX.Element {
  const { value: words } = widget.words;
  return (
    <div class="problem" role="alert">
      <Icon name="bad" size={16} />
      <div>
        <p>
          <code>{reveal(error.code)}</code> <bdi>{revealLines(messageOfError(error, words))}</bdi>
        </p>
        {error.hint !== undefined && <p class="quiet">{reveal(error.hint)}</p>}
        {onRetry !== undefined && (
          <button type="button" class="c-button" onClick={onRetry}>
            {words.retry}
          </button>
        )}
      </div>
    </div>
  );
}

/** What keeps the widget from getting updates. */
function Notice({ widget }: WidgetProps): JSX.Element | null {
  const { link, abilities, shown, poll, title } = widget;
  const { value: words } = widget.words;
  const isRun = shown.value.kind === 'run';
  if (link.value === 'alone') return <p class="notice">{words.noHost}</p>;
  if (link.value === 'over' && isRun) return <p class="notice">{words.closed}</p>;
  if (poll.value?.phase === 'lost')
    return (
      <div class="notice" role="alert">
        <p>{words.lost}</p>
        <button type="button" class="c-button" onClick={() => widget.retry()}>
          {words.retry}
        </button>
      </div>
    );
  if (link.value === 'open' && isRun && !abilities.value.callTools)
    return <p class="notice">{words.noCalls(title.value)}</p>;
  return null;
}

function Notes({ widget }: WidgetProps): JSX.Element | null {
  const { notes, words, shown } = widget;
  const left = otherNotes(notes.value);
  if (left.length === 0) return null;
  return (
    <details class="notes">
      <summary>{shown.value.kind === 'text' ? words.value.unread : words.value.notes}</summary>
      {left.map((note) => (
        <p key={note} dir="auto">
          {revealLines(note)}
        </p>
      ))}
    </details>
  );
}
