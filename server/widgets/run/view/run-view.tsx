import type { JSX } from 'preact';
import type { Pending, Run, Shown, ShownError, Stored } from '../model/answer.ts';
import { formatBytes, formatCount, formatName } from '../model/format.ts';
import { hasEnded, type RunWidget } from '../model/widget.ts';
import { Header } from './header.tsx';
import { Items } from './items.tsx';
import { RunProgress } from './progress.tsx';
import { Value } from './value.tsx';

interface Props {
  readonly widget: RunWidget;
}

/** The whole widget: what the call is, how far it is, what it has. */
export function RunView({ widget }: Props): JSX.Element {
  const { shown, says, failure } = widget;
  return (
    <div class="card">
      <Header widget={widget} />
      <Notice widget={widget} />
      <Body widget={widget} shown={shown.value} />
      {failure.value !== null && <Problem error={failure.value} onRetry={() => widget.retry()} />}
      <Notes notes={widget.notes.value} />
      <p class="unseen" role="status">
        {says.value}
      </p>
    </div>
  );
}

function Body({ widget, shown }: Props & { readonly shown: Shown }): JSX.Element | null {
  switch (shown.kind) {
    case 'run':
      return <RunBody widget={widget} run={shown.run} />;
    case 'items':
      return <Items widget={widget} />;
    case 'stored':
      return <StoredBody stored={shown.stored} />;
    case 'value':
      return (
        <section aria-label="Result">
          <Value value={shown.value} openLink={widget.linkOpener()} />
        </section>
      );
    case 'error':
      return <Problem error={shown.error} />;
    case 'pending':
      return <PendingBody widget={widget} pending={shown.pending} />;
    case 'nothing':
      return <p class="quiet">The result of this call is in the conversation.</p>;
    case 'waiting':
    case 'cancelled':
      return null;
  }
}

function RunBody({ widget, run }: Props & { readonly run: Run }): JSX.Element {
  const isEmpty = hasEnded(run) && (run.items ?? run.progress.done) === 0;
  return (
    <>
      <RunProgress run={run} isLive={widget.isLive()} />
      {run.error !== undefined &&
        (run.status === 'cancelled' ? (
          <p class="quiet">{run.error.message}</p>
        ) : (
          <Problem error={run.error} />
        ))}
      {run.status === 'interrupted' && (
        <p class="quiet">
          The server that worked on this run has stopped. No items were lost: ask to resume the run.
        </p>
      )}
      {isEmpty ? <p class="empty">No items.</p> : <Items widget={widget} run={run} />}
    </>
  );
}

/** What a person is asked to approve; the decision is made elsewhere. */
function PendingBody({ widget, pending }: Props & { readonly pending: Pending }): JSX.Element {
  const { arguments: args, interaction } = pending;
  const openLink = widget.linkOpener();
  return (
    <>
      <p class="notice">Nothing has been done yet. The call runs after it is allowed.</p>
      {Object.keys(interaction).length > 0 && (
        <section aria-label="Question">
          <Value value={interaction} openLink={openLink} />
        </section>
      )}
      {Object.keys(args).length > 0 && (
        <section aria-label="Arguments">
          <h2>Arguments</h2>
          <Value value={args} openLink={openLink} />
        </section>
      )}
    </>
  );
}

function StoredBody({ stored }: { readonly stored: Stored }): JSX.Element {
  const { output_handle, item_count, size_bytes, mime_type, preview, expires_at } = stored;
  return (
    <section aria-label="Stored result">
      <dl class="facts">
        <dt>Handle</dt>
        <dd>
          <code>{output_handle}</code>
        </dd>
        {item_count !== null && (
          <>
            <dt>Items</dt>
            <dd>{formatCount(item_count)}</dd>
          </>
        )}
        <dt>Size</dt>
        <dd>
          {formatBytes(size_bytes)} of {mime_type}
        </dd>
        <dt>Kept until</dt>
        <dd>{expires_at.replace('T', ' ').replace('Z', ' UTC')}</dd>
      </dl>
      {preview !== null && preview !== '' && (
        <pre class="text" tabIndex={0} aria-label="Preview">
          {preview}
        </pre>
      )}
    </section>
  );
}

function Problem(props: {
  readonly error: Omit<ShownError, 'retryable'>;
  readonly onRetry?: () => void;
}): JSX.Element {
  const { error, onRetry } = props;
  return (
    <div class="problem" role="alert">
      <p>
        <code>{error.code}</code> {error.message}
      </p>
      {error.hint !== undefined && <p class="quiet">{error.hint}</p>}
      {onRetry !== undefined && (
        <button type="button" class="small" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** What keeps the widget from getting updates. */
function Notice({ widget }: Props): JSX.Element | null {
  const { link, abilities, shown, poll, toolName } = widget;
  const isRun = shown.value.kind === 'run';
  if (link.value === 'alone')
    return (
      <p class="notice">No host responded. This page shows runs of Spillway only inside a conversation.</p>
    );
  if (link.value === 'over' && isRun)
    return <p class="notice">Updates have stopped: the host closed this view.</p>;
  if (poll.value?.phase === 'lost')
    return (
      <div class="notice" role="alert">
        <span>Disconnected: this is the last state that Spillway reported.</span>
        <button type="button" class="small" onClick={() => widget.retry()}>
          Try again
        </button>
      </div>
    );
  if (link.value === 'open' && isRun && !abilities.value.callTools)
    return (
      <p class="notice">
        This host does not let widgets request updates: this is the state of the{' '}
        {formatName(toolName.value ?? 'run').toLowerCase()} when the call returned. Ask for its progress and
        items in the conversation.
      </p>
    );
  return null;
}

function Notes({ notes }: { readonly notes: readonly string[] }): JSX.Element | null {
  if (notes.length === 0) return null;
  return (
    <details class="notes">
      <summary>Notes</summary>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </details>
  );
}
