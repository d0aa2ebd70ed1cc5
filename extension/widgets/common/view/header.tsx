import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { Badge, Button, Icon, type IconName } from '../../../ui/kit.tsx';
import type { Tone } from '../../../ui/faces/face.ts';
import { runStatusWord, toneOfRun } from '../../../ui/run-facts.tsx';
import { formatAddress } from '../../../ui/text.ts';
import { reveal } from '../../../../shared/core/policy/reveal.ts';
import { type Run, addressIn } from '../model/answer.ts';
import { hasEnded, type ToolWidget } from '../model/tool-widget.ts';

type Props = { readonly widget: ToolWidget };

export function Header({ widget }: Props): JSX.Element {
  const { shown, title, input, abilities } = widget;
  const [tone, label] = statusOf(widget);
  const heading = useRef<HTMLHeadingElement>(null);
  const source = sourceOf(input.value) ?? addressIn(widget.notes.value);
  const { value } = shown;
  const canCancel =
    value.kind === 'run' && !hasEnded(value.run) && abilities.value.callTools && widget.isReached.value;
  return (
    <header class="cluster">
      <span class={`mood ${tone}`} aria-hidden="true">
        <Icon name={iconOf(tone, value.kind)} size={17} />
      </span>
      <div class="title">
        <h1 ref={heading} tabIndex={-1}>
          {reveal(title.value)}
        </h1>
        {source !== null && (
          <p class="quiet clip" title={reveal(source)}>
            <bdi>{reveal(formatAddress(source))}</bdi>
          </p>
        )}
      </div>
      {label !== null && <Badge tone={tone}>{label}</Badge>}
      {canCancel && <CancelButton widget={widget} onGone={() => heading.current?.focus()} />}
    </header>
  );
}

/** No label if the face of a run shows it. */
type Status = readonly [tone: Tone, label: string | null];

const iconOf = (tone: Tone, kind: string): IconName => {
  if (tone !== 'good') return tone;
  if (kind === 'text') return 'page';
  return kind === 'items' || kind === 'page' ? 'table' : tone;
};

function statusOf(widget: ToolWidget): Status {
  const { value: words } = widget.words;
  const { value } = widget.shown;
  const wordOf = (status: string): string => runStatusWord(status, widget.language.value);
  switch (value.kind) {
    case 'run':
      return runStatus(widget, value.run);
    case 'waiting':
      return widget.link.value === 'alone' ? ['bad', words.notConnected] : ['busy', words.waiting];
    case 'cancelled':
      return ['off', wordOf('cancelled')];
    case 'error':
      return ['bad', wordOf('failed')];
    case 'pending':
      return ['wait', words.waitingForApproval];
    case 'nothing':
      // It may be a failure: this host has not reported it.
      return ['plain', words.answered];
    default:
      return ['good', wordOf('completed')];
  }
}

function runStatus(widget: ToolWidget, run: Run): Status {
  const { value: words } = widget.words;
  if (hasEnded(run) || widget.isLive.value) return [toneOfRun(run.status), null];
  if (!widget.isReached.value) return ['wait', words.disconnected];
  return ['wait', widget.poll.value === 'paused' ? words.paused : null];
}

function sourceOf({ url, urls, sitemap, name }: Readonly<Record<string, unknown>>): string | null {
  const first: unknown = Array.isArray(urls) ? urls[0] : undefined;
  return [url, first, sitemap, name].find((source) => typeof source === 'string') ?? null;
}

/** One function: Preact calls a new one at each drawing, and the focus would go back to its button. */
const takeFocus = (element: HTMLElement | null): void => element?.focus();

/** Confirms before it cancels; the question takes the focus and returns it. */
function CancelButton({ widget, onGone }: Props & { readonly onGone: () => void }): JSX.Element {
  const button = useRef<HTMLButtonElement>(null);
  const { value: words } = widget.words;
  const step = widget.cancelStep.value;
  const keep = (): void => {
    widget.askToCancel(false);
    button.current?.focus();
  };
  return (
    <>
      <Button
        at={button}
        aria-expanded={step === 'asked'}
        aria-disabled={step === 'sent'}
        onClick={() => step === 'idle' && widget.askToCancel(true)}
      >
        {step === 'sent' ? words.cancelling : words.cancel}
      </Button>
      {step === 'asked' && (
        <div
          class="question cluster"
          role="alertdialog"
          aria-labelledby="question"
          onKeyDown={(event) => event.key === 'Escape' && keep()}
        >
          <p id="question">{words.cancelQuestion}</p>
          <button type="button" class="c-button" ref={takeFocus} onClick={keep}>
            {words.keepRunning}
          </button>
          <button
            type="button"
            class="c-button bad"
            onClick={() => {
              button.current?.focus();
              // When the run ends, the button disappears with the focus.
              void widget.cancel().then(() => {
                if (document.activeElement === document.body || document.activeElement === button.current)
                  onGone();
              });
            }}
          >
            {words.cancelRun}
          </button>
        </div>
      )}
    </>
  );
}
