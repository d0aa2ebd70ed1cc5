import type { JSX } from 'preact';
import { FaceBoundary } from '../../../panel/components/face-boundary.tsx';
import { GeneralRender } from '../../../panel/components/general-render.tsx';
import type { ItemPage } from '../../../panel/components/layout.ts';
import type { FaceActions, FaceAnswer, RecipeShelf, Render } from '../../../panel/tools/face.ts';
import { faceCallOf, faceToolOf } from '../model/face-answer.ts';
import type { ToolWidget } from '../model/tool-widget.ts';

/** The Renders of a widget's tools, by api; the first is for calls whose host does not name the tool. */
export type Renders = Readonly<Record<string, Render>>;

interface Props {
  readonly widget: ToolWidget;
  readonly renders: Renders;
  readonly answer: FaceAnswer;
  /** Default: the tool of the call. */
  readonly tool?: string;
}

/** The Render of a tool, as in the side panel; the general one if the tool has none, or its own fails. */
export function ToolFace({ widget, renders, answer, ...given }: Props): JSX.Element {
  const { tool = faceToolOf(widget, Object.keys(renders)[0] ?? '') } = given;
  const Face = (Object.hasOwn(renders, tool) ? renders[tool] : undefined) ?? GeneralRender;
  const props = { call: faceCallOf(widget, tool), answer };
  return (
    <FaceBoundary key={tool} name={`${tool} Render`} fallback={<GeneralRender {...props} />}>
      <Face {...props} />
    </FaceBoundary>
  );
}

export const actionsOf = (widget: ToolWidget): FaceActions => ({
  openLink: widget.linkOpener(),
  openOutput: null,
  openRun: null,
  openPortal: null,
  page: pageOf(widget),
  recipes: shelfOf(widget),
});

/** Null if the host calls no tools for its widgets. */
function shelfOf({ recipes, abilities }: ToolWidget): RecipeShelf | null {
  if (!abilities.value.callTools) return null;
  const { found, query, isBusy, opened } = recipes;
  return {
    found: found.value,
    query: query.value,
    isBusy: isBusy.value,
    search: (wanted) => void recipes.search(wanted),
    opened: opened.value,
    toggle: (name) => void recipes.toggle(name),
  };
}

function pageOf(widget: ToolWidget): ItemPage | null {
  const { page, trail, isLoading } = widget.items;
  if (page.value === null) return null;
  const { offset, total, rows, nextOffset } = page.value;
  return {
    offset,
    total,
    oversized: new Map(
      rows.flatMap(({ index, oversizedBytes: size }) => (size === undefined ? [] : [[index, size] as const])),
    ),
    isBusy: isLoading.value,
    pager: {
      hasPrevious: trail.value.length > 1,
      hasNext: nextOffset !== null,
      turn: (direction) => widget.turn(direction),
    },
  };
}
