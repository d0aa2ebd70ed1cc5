import { shownArguments } from '../../../ui/call-line.tsx';
import { layoutOf, rowsOf } from '../../../ui/layout.ts';
import { titleOf } from '../../../ui/text.ts';
import { NOT_ENDED, type FaceAnswer, type FaceCall } from '../../../ui/faces/face.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../../shared/base/json.ts';
import { type Shown, addressIn, otherNotes, recipeToolOf, messageOfError } from './answer.ts';
import type { Page } from './pages.ts';
import { hasEnded, type ToolWidget } from './tool-widget.ts';

/* Converts the host's data to the form that the faces of tools take. */

const EMPTY: FaceAnswer = {
  ok: true,
  value: undefined,
  picture: null,
  state: {},
  error: null,
  stored: null,
  notes: [],
};

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** The tool whose face shows the answer. Some hosts do not name it. */
export function faceToolOf({ toolName, shown, items }: ToolWidget, usual: string): string {
  const { kind } = shown.value;
  // Whichever tool started it.
  if (kind === 'run') return 'run_status';
  if (toolName.value !== null) return toolName.value;
  if (kind === 'page') return 'oc_output_fetch';
  const ofRecipes = recipeToolOf(shown.value);
  if (ofRecipes !== null) return ofRecipes;
  const { value: page } = items.page;
  return page !== null && layoutOf(rowsOf(page.items)).kind === 'requests' ? 'network' : usual;
}

/** The widget's own call; running while updates arrive. */
export function faceCallOf(widget: ToolWidget, tool: string): FaceCall {
  const { kind } = widget.shown.value;
  return {
    ...NOT_ENDED,
    callId: '',
    tool,
    args: shownArguments(widget.input.value),
    state: widget.isLive.value ? 'running' : kind === 'error' ? 'failed' : 'ok',
  };
}

/** The answer, with everything read of it since. */
export function faceAnswerOf(widget: ToolWidget): FaceAnswer {
  const { value: shown } = widget.shown;
  const text = widget.text.text.value;
  const [notes, url] = [otherNotes(widget.notes.value), addressIn(widget.notes.value)];
  const answer = { ...EMPTY, notes, state: text === null ? {} : { title: titleOf(text), url } };
  if (shown.kind === 'error') {
    const { error, state } = shown;
    const { code, hint = null, body } = error;
    return {
      ...answer,
      ok: false,
      error: { code, message: messageOfError(error, widget.words.value), hint, body },
      state: objectOf(state),
      value: isObject(state) ? undefined : (state ?? undefined),
    };
  }
  if (shown.kind === 'picture') return { ...answer, picture: shown.picture };
  const value = resolveFaceValue(shown, text, widget.items.page.value);
  if (shown.kind !== 'stored') return { ...answer, value };
  const { output_handle: handle, preview, ...stored } = shown.stored;
  return {
    ...answer,
    value,
    stored: { ...stored, handle, preview: value === undefined ? preview : null },
  };
}

function resolveFaceValue(shown: Shown, text: string | null, page: Page | null): JsonValue | undefined {
  const read = page?.items;
  switch (shown.kind) {
    case 'run':
      // The card's head names the tool.
      return { ...objectOf(shown.run), tool: undefined };
    case 'items':
      return read ?? shown.items;
    case 'page':
      return { ...objectOf(shown.page), ...(page === null ? {} : pageFields(page)) };
    case 'stored':
      return text ?? read;
    case 'value':
      return shown.value;
    case 'text':
      return text ?? shown.text;
    default:
      return undefined;
  }
}

/** A page of a run's items: the run's state is shown above it. */
export function itemsAnswerOf({ shown, items }: ToolWidget): FaceAnswer {
  const page = items.page.value;
  const isOver = shown.value.kind === 'run' && hasEnded(shown.value.run);
  return {
    ...EMPTY,
    value: { content: [], total: 0, ...(page === null ? {} : pageFields(page)), eof: isOver },
  };
}

const pageFields = ({ offset, items, total, nextOffset }: Page): JsonObject => ({
  offset,
  returned: items.length,
  total,
  content: items,
  next_offset: nextOffset ?? total,
  eof: nextOffset === null,
});
