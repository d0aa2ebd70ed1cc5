import { ActionsContext, Button, Icon, NO_ACTIONS, Skeleton } from '../../../ui/kit.tsx';
import type { JSX } from 'preact';
import { TopLevel } from '../../../ui/markdown.tsx';
import { formatSize } from '../../../ui/words/format.ts';
import { reveal } from '../../../../shared/core/policy/reveal.ts';
import { revealLines } from '../../../ui/text.ts';
import { Value } from '../../../ui/value.tsx';
import { WordsContext } from '../../../ui/words/use-texts.ts';
import { type Pending, type Run, type ShownError, messageOfError } from '../model/answer.ts';
import { faceAnswerOf, itemsAnswerOf, faceCallOf, faceToolOf } from '../model/face-answer.ts';
import { hasEnded, type ToolWidget } from '../model/tool-widget.ts';
import { Header } from './header.tsx';
import { FaceBoundary } from '../../../ui/face-boundary.tsx';
import { GeneralRender } from '../../../ui/general-render.tsx';
import type { ItemPage } from '../../../ui/layout.ts';
import type { FaceActions, FaceAnswer, Render } from '../../../ui/faces/face.ts';

type WidgetProps = { readonly widget: ToolWidget };

type CardProps = WidgetProps & { readonly renders: Renders };

/** The whole widget: the call, its progress, and its result. */
export function Card({ widget, renders }: CardProps): JSX.Element {
  const { says, failure, language } = widget;
  return (
    <WordsContext.Provider value={language.value}>
      <ActionsContext.Provider value={actionsOf(widget)}>
        <TopLevel.Provider value={2}>
          <div class="card">
            <Header widget={widget} />
            <Notice widget={widget} />
            <Body widget={widget} renders={renders} />
            {failure.value !== null && <Problem widget={widget} error={failure.value} />}
            <p class="unseen" role="status">
              {reveal(says.value)}
            </p>
          </div>
        </TopLevel.Provider>
      </ActionsContext.Provider>
    </WordsContext.Provider>
  );
}

function Body({ widget, renders }: CardProps): JSX.Element | null {
  const { value: shown } = widget.shown;
  const { value: words } = widget.words;
  const { text, isLoading, leftBytes } = widget.text;
  switch (shown.kind) {
    case 'pending':
      return <PendingBody widget={widget} pending={shown.pending} />;
    case 'nothing':
      return <p class="dim">{words.inConversation}</p>;
    case 'waiting':
    case 'cancelled':
      return null;
    case 'run':
      return <RunBody widget={widget} renders={renders} run={shown.run} />;
    default:
      if (text.value === null && isLoading.value) return <Skeleton lines={6} label={words.reading} />;
      return (
        <>
          <ToolFace widget={widget} renders={renders} answer={faceAnswerOf(widget)} />
          {leftBytes.value > 0 && (
            <Button aria-disabled={isLoading.value} onClick={() => void widget.text.more()}>
              {isLoading.value ? words.reading : words.more({ size: formatSize(leftBytes.value) })}
            </Button>
          )}
        </>
      );
  }
}

function RunBody({ widget, renders, run }: CardProps & { readonly run: Run }): JSX.Element {
  const { value: words } = widget.words;
  const { page, isLoading } = widget.items;
  const isEmpty = hasEnded(run) && (run.items ?? run.progress.done) === 0;
  return (
    <>
      <ToolFace widget={widget} renders={renders} answer={faceAnswerOf(widget)} />
      {run.status === 'interrupted' && <p class="dim">{words.interrupted}</p>}
      {page.value !== null || isEmpty ? (
        <ToolFace widget={widget} renders={renders} tool="run_output" answer={itemsAnswerOf(widget)} />
      ) : (
        isLoading.value && <Skeleton lines={4} label={words.reading} />
      )}
    </>
  );
}

/** The decision is made elsewhere. */
function PendingBody({ widget, pending }: WidgetProps & { readonly pending: Pending }): JSX.Element {
  const { arguments: args, interaction } = pending;
  const { value: words } = widget.words;
  return (
    <>
      <p class="notice">{words.nothingDone}</p>
      {Object.keys(interaction).length > 0 && (
        <section aria-label={words.question}>
          <Value value={interaction} />
        </section>
      )}
      {Object.keys(args).length > 0 && (
        <section aria-labelledby="arguments">
          <h2 id="arguments">{words.arguments}</h2>
          <Value value={args} />
        </section>
      )}
    </>
  );
}

function Problem({ widget, error }: WidgetProps & { readonly error: ShownError }): JSX.Element {
  const { value: words } = widget.words;
  return (
    <div class="problem" role="alert">
      <Icon name="bad" size={16} />
      <div>
        <p>
          <code>{reveal(error.code)}</code> <bdi>{revealLines(messageOfError(error, words))}</bdi>
        </p>
        {error.hint !== undefined && <p>{reveal(error.hint)}</p>}
        <Button kind="above" onClick={() => widget.retry()}>
          {words.retry}
        </Button>
      </div>
    </div>
  );
}

function Notice({ widget }: WidgetProps): JSX.Element | null {
  const { link, abilities, shown, poll, title } = widget;
  const { value: words } = widget.words;
  const isRun = shown.value.kind === 'run';
  if (link.value === 'alone') return <p class="notice">{words.noHost}</p>;
  if (link.value === 'over' && isRun) return <p class="notice">{words.closed}</p>;
  if (poll.value === 'lost')
    return (
      <div class="notice" role="alert">
        <p>{words.lost}</p>
        <Button kind="above" onClick={() => widget.retry()}>
          {words.retry}
        </Button>
      </div>
    );
  if (link.value === 'open' && isRun && !abilities.value.callTools)
    return <p class="notice">{words.noCalls({ tool: title.value })}</p>;
  return null;
}

/** The Renders of a widget's tools, by api; the first is for calls whose host does not name the tool. */
export type Renders = Readonly<Record<string, Render>>;

type FaceProps = CardProps & { readonly answer: FaceAnswer; readonly tool?: string };

/**
 * The Render of a tool, as in the side panel; the general one if the tool has none, or its own fails.
 * @param tool default: that of the call
 */
function ToolFace({ widget, renders, answer, ...given }: FaceProps): JSX.Element {
  const { tool = faceToolOf(widget, Object.keys(renders)[0] ?? '') } = given;
  const Face = (Object.hasOwn(renders, tool) ? renders[tool] : undefined) ?? GeneralRender;
  const props = { call: faceCallOf(widget, tool), answer };
  return (
    <FaceBoundary key={tool} name={`${tool} Render`} fallback={<GeneralRender {...props} />}>
      <Face {...props} />
    </FaceBoundary>
  );
}

const actionsOf = (widget: ToolWidget): FaceActions => ({
  ...NO_ACTIONS,
  openLink: widget.linkOpener(),
  page: pageOf(widget),
  recipes: widget.abilities.value.callTools
    ? {
        ...widget.recipes.shelf.value,
        search: (query) => void widget.recipes.search(query),
        toggle: (name) => void widget.recipes.toggle(name),
      }
    : null,
});

function pageOf(widget: ToolWidget): ItemPage | null {
  const { page, trail, isLoading } = widget.items;
  if (page.value === null) return null;
  const { items: _shown, nextOffset, ...place } = page.value;
  return {
    ...place,
    isBusy: isLoading.value,
    pager: {
      hasPrevious: trail.value.length > 1,
      hasNext: nextOffset !== null,
      turn: (direction) => widget.turn(direction),
    },
  };
}
