import { useRef } from 'preact/hooks';
import type { JSX } from 'preact';
import type { Run } from '../model/answer.ts';
import { formatAddress, formatName } from '../model/format.ts';
import { hasEnded, type RunWidget } from '../model/widget.ts';
import { toneOf, ToneIcon, type Tone } from './icons.tsx';

interface Props {
  readonly widget: RunWidget;
}

/** What is called, on what, its status, and the way to end it. */
export function Header({ widget }: Props): JSX.Element {
  const { shown, toolName, input, abilities } = widget;
  const { mood, label } = statusOf(widget);
  const heading = useRef<HTMLHeadingElement>(null);
  const source = sourceOf(input.value);
  const { value } = shown;
  const canCancel =
    value.kind === 'run' && !hasEnded(value.run) && abilities.value.callTools && widget.isReached();
  return (
    <header>
      <ToneIcon mood={mood} />
      <div class="title">
        <h1 ref={heading} tabIndex={-1}>
          {formatName(toolName.value ?? (value.kind === 'run' ? 'run' : 'Spillway'))}
        </h1>
        {source !== null && (
          <p class="source" title={source}>
            {formatAddress(source)}
          </p>
        )}
      </div>
      <span class={`status ${mood}`}>{label}</span>
      {canCancel && <CancelButton widget={widget} onGone={() => heading.current?.focus()} />}
    </header>
  );
}

interface Status {
  readonly mood: Tone;
  readonly label: string;
}

function statusOf(widget: RunWidget): Status {
  const { value } = widget.shown;
  switch (value.kind) {
    case 'run':
      return runStatus(widget, value.run);
    case 'waiting':
      return widget.link.value === 'alone'
        ? { mood: 'bad', label: 'Not connected' }
        : { mood: 'busy', label: 'Waiting' };
    case 'cancelled':
      return { mood: 'off', label: 'Cancelled' };
    case 'error':
      return { mood: 'bad', label: 'Failed' };
    case 'pending':
      return { mood: 'wait', label: 'Waiting for approval' };
    case 'nothing':
      // It may be a failure: this host has not said.
      return { mood: 'plain', label: 'Answered' };
    case 'items':
    case 'stored':
    case 'value':
      return { mood: 'good', label: 'Completed' };
  }
}

/** Nothing turns where no news come. */
function runStatus(widget: RunWidget, run: Run): Status {
  const label = formatName(run.status);
  if (hasEnded(run) || widget.isLive()) return { mood: toneOf(run.status), label };
  if (!widget.isReached()) return { mood: 'wait', label: 'Disconnected' };
  const isPaused = widget.poll.value?.phase === 'paused';
  return { mood: 'wait', label: isPaused ? `${label}, updates paused` : label };
}

/** Where the call began, as its arguments say. */
function sourceOf({ url, urls, sitemap }: Readonly<Record<string, unknown>>): string | null {
  const first: unknown = Array.isArray(urls) ? urls[0] : undefined;
  return [url, first, sitemap].find((source) => typeof source === 'string') ?? null;
}

/** Asks before it cancels; the question takes the focus and gives it back. */
function CancelButton({ widget, onGone }: Props & { readonly onGone: () => void }): JSX.Element {
  const button = useRef<HTMLButtonElement>(null);
  const step = widget.cancelStep.value;
  const keep = (): void => {
    widget.askToCancel(false);
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class="small"
        aria-expanded={step === 'asked'}
        aria-disabled={step === 'sent'}
        onClick={() => step === 'idle' && widget.askToCancel(true)}
      >
        {step === 'sent' ? 'Cancelling…' : 'Cancel'}
      </button>
      {step === 'asked' && (
        <div
          class="question"
          role="alertdialog"
          aria-labelledby="question"
          onKeyDown={(event) => event.key === 'Escape' && keep()}
        >
          <p id="question">Cancel this run? Its items stay readable.</p>
          <button type="button" class="small" ref={(element) => element?.focus()} onClick={keep}>
            Keep running
          </button>
          <button
            type="button"
            class="small danger"
            onClick={() => {
              button.current?.focus();
              // With the run's end the button goes, and with it the focus that it has.
              void widget.cancel().then(() => {
                if (document.activeElement === document.body || document.activeElement === button.current)
                  onGone();
              });
            }}
          >
            Cancel the run
          </button>
        </div>
      )}
    </>
  );
}
