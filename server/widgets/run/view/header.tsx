import { useRef } from 'preact/hooks';
import type { JSX } from 'preact';
import type { Shown } from '../model/answer.ts';
import { formatAddress, formatName } from '../model/format.ts';
import { hasEnded, type RunWidget } from '../model/widget.ts';
import { moodOf, MoodIcon, type Mood } from './icons.tsx';

interface Props {
  readonly widget: RunWidget;
}

/** What is called, on what, its status, and the way to end it. */
export function Header({ widget }: Props): JSX.Element {
  const { shown, toolName, input, link, abilities, poll } = widget;
  const { mood, label } = statusOf(shown.value, link.value === 'alone', poll.value?.phase === 'paused');
  const source = sourceOf(input.value);
  const { value } = shown;
  const canCancel = value.kind === 'run' && !hasEnded(value.run) && abilities.value.callTools;
  return (
    <header>
      <MoodIcon mood={mood} />
      <div class="title">
        <h1>{formatName(toolName.value ?? (value.kind === 'run' ? 'run' : 'Spillway'))}</h1>
        {source !== null && (
          <p class="source" title={source}>
            {formatAddress(source)}
          </p>
        )}
      </div>
      <span class={`status ${mood}`}>{label}</span>
      {canCancel && <CancelButton widget={widget} />}
    </header>
  );
}

function statusOf(
  shown: Shown,
  isAlone: boolean,
  isPaused: boolean,
): { readonly mood: Mood; readonly label: string } {
  switch (shown.kind) {
    case 'run': {
      const { status } = shown.run;
      const label = formatName(status);
      return {
        mood: moodOf(status),
        label: isPaused && !hasEnded(shown.run) ? `${label}, updates paused` : label,
      };
    }
    case 'waiting':
      return isAlone ? { mood: 'bad', label: 'Not connected' } : { mood: 'busy', label: 'Waiting' };
    case 'cancelled':
      return { mood: 'wait', label: 'Cancelled' };
    case 'error':
      return { mood: 'bad', label: 'Failed' };
    case 'items':
    case 'stored':
    case 'value':
    case 'nothing':
      return { mood: 'good', label: 'Completed' };
  }
}

/** Where the call began, as its arguments say. */
function sourceOf({ url, urls, sitemap }: Readonly<Record<string, unknown>>): string | null {
  const first: unknown = Array.isArray(urls) ? urls[0] : undefined;
  return [url, first, sitemap].find((source) => typeof source === 'string') ?? null;
}

/** Asks before it cancels; the question takes the focus and gives it back. */
function CancelButton({ widget }: Props): JSX.Element {
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
          <p id="question">Cancel this run? The items it has stay readable.</p>
          <button type="button" class="small" ref={(element) => element?.focus()} onClick={keep}>
            Keep it
          </button>
          <button
            type="button"
            class="small danger"
            onClick={() => {
              button.current?.focus();
              void widget.cancel();
            }}
          >
            Cancel the run
          </button>
        </div>
      )}
    </>
  );
}
