import { isHtml } from '../../dom/elements.ts';
import { createTransfer, PageError } from '../../dom/doorway.ts';
import { announce } from './controls.ts';
import { fileField, fileNeedsOf } from './file-fields.ts';
import { describeElement, unsuitable } from './hit.ts';
import type { Hands } from './hands.ts';
import { press } from './point.ts';
import type { FilePart } from './protocol.ts';
import type { StepParts } from './step.ts';

const PRESSED =
  'button,a[href],summary,label,input:is([type=button i],[type=submit i],[type=image i]),' +
  '[role=button],[role=link],[role=menuitem]';

/** @throws PageError `target_unsuitable`, and as `press`, {@link putByDevice} and {@link setFiles} */
export async function upload(el: Element, paths: readonly string[], parts: StepParts): Promise<string> {
  const { hands, how } = parts;
  const way = paths.length === 0 ? 'field' : filesWayOf(el);
  if (way === 'press' || way === 'press or drop') {
    if (how.hasChoosers) await press(el, parts);
    const { uploaded = null } = await hands.give({ opens: true });
    if (uploaded !== null) return uploaded;
    if (way === 'press')
      throw unsuitable(el, 'takes no files, and opened no file chooser when it was clicked.');
  }
  const shown = how.givesFiles ? await putByDevice(el, paths, hands) : null;
  const labels = shown ?? (await putByScript(el, paths, hands));
  const isFolder = paths.length > 0 && fileNeedsOf(el)?.isFolder === true;
  const named = labels.filter((label) => label !== '').join(', ') || 'no file';
  return `has ${named}${isFolder ? ', without paths: only a person can choose a folder' : ''}`;
}

/** @returns the labels of the files */
async function putByScript(el: Element, paths: readonly string[], hands: Hands): Promise<string[]> {
  const files: File[] = [];
  const labels: string[] = [];
  for (const index of paths.keys()) {
    const { file, label } = await receiveFile(index, hands);
    files.push(file);
    labels.push(label);
  }
  await hands.give({ changes: true });
  setFiles(el, files);
  return labels;
}

/**
 * A device names elements of the step's own document. It takes files of the names that a field has for the same, and
 * folders not at all.
 * @returns the labels of the files, or null for a field that it cannot give them
 */
async function putByDevice(el: Element, paths: readonly string[], hands: Hands): Promise<string[] | null> {
  const field = fileField(el);
  if (field === null || field.ownerDocument !== document || field.webkitdirectory) return null;
  const wanted: (FilePart | undefined)[] = [];
  for (const file of paths.keys()) wanted.push((await hands.give({ file, part: 0 })).file);
  const has = [...(field.files ?? [])].map(({ name }) => name);
  if (String(has) === String(wanted.map((file) => file?.name))) return null;
  expectRoom(field, wanted.length);
  const over = new AbortController();
  const how = { capture: true, signal: over.signal };
  let isTaken = false;
  const hear = ({ isTrusted }: Event): void => void (isTaken ||= isTrusted);
  const name = crypto.getRandomValues(new Uint32Array(4)).join('-');
  const answer = (event: Event): void => {
    event.stopImmediatePropagation();
    field.dispatchEvent(new CustomEvent(`${name} field`, { bubbles: true, composed: true }));
  };
  window.addEventListener(name, answer, how);
  field.addEventListener('input', hear, how);
  try {
    await hands.give({ field: name });
  } finally {
    over.abort();
  }
  if (!isTaken && field.files?.length !== wanted.length) throw filesNotTaken(field);
  return wanted.map((file) => file?.label ?? '');
}

async function receiveFile(
  index: number,
  hands: Hands,
): Promise<{ readonly file: File; readonly label: string }> {
  const bytes: Uint8Array<ArrayBuffer>[] = [];
  for (;;) {
    const { file } = await hands.give({ file: index, part: bytes.length });
    if (file?.data == null) {
      const { name = '', mime = '', label = '' } = file ?? {};
      return { file: new File(bytes, name, { type: mime }), label };
    }
    bytes.push(Uint8Array.from(atob(file.data), (char) => char.charCodeAt(0)));
  }
}

/** How an element takes files. A page that accepts a drop prevents the browser's default action. */
function filesWayOf(el: Element): 'field' | 'drop' | 'press' | 'press or drop' {
  if (fileField(el) !== null) return 'field';
  const none = createTransfer();
  none.items.add(new File([], ''));
  const accepts = (bubbles: boolean): boolean => {
    if (!isHtml(el)) return false;
    const send = dragOn(el, none, bubbles);
    send('dragenter');
    const isTaken = !send('dragover');
    send('dragleave');
    return isTaken;
  };
  // Without bubbling: a page may also prevent all drops, so that none replaces it.
  if (accepts(false)) return 'drop';
  const isPressed = el.closest(PRESSED) !== null || getComputedStyle(el).cursor === 'pointer';
  if (!accepts(true)) return 'press';
  return isPressed ? 'press or drop' : 'drop';
}

/**
 * Puts files into a file field, as choosing them does, or drops them on any other element. Fields are often hidden
 * behind a button or label.
 * @throws PageError `target_unsuitable`, `target_disabled`, `value_not_taken`
 */
function setFiles(el: Element, files: readonly File[]): void {
  const field = fileField(el);
  const transfer = createTransfer();
  for (const file of files) transfer.items.add(file);
  if (field === null) return drop(el, transfer);
  expectRoom(field, files.length);
  field.files = transfer.files;
  const { length } = field.files;
  announce(field);
  if (length !== files.length) throw filesNotTaken(field);
}

function expectRoom(field: HTMLInputElement, count: number): void {
  if (field.matches(':disabled'))
    throw new PageError('target_disabled', `${describeElement(field)} is disabled.`);
  if (count > 1 && !field.multiple) throw unsuitable(field, 'takes one file.');
}

const filesNotTaken = (field: HTMLInputElement): PageError =>
  new PageError('value_not_taken', `${describeElement(field)} did not take the files.`);

function drop(el: Element, dataTransfer: DataTransfer): void {
  const send = dragOn(el, dataTransfer, true);
  send('dragenter');
  if (!isHtml(el) || send('dragover')) {
    send('dragleave');
    throw unsuitable(el, 'takes no files.');
  }
  send('drop');
}

/** Sends drag events to the middle of an element; false if one was prevented. */
function dragOn(el: Element, dataTransfer: DataTransfer, bubbles: boolean): (type: string) => boolean {
  const box = el.getBoundingClientRect();
  const at = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
  return (type) =>
    el.dispatchEvent(new DragEvent(type, { ...at, dataTransfer, bubbles, cancelable: true, composed: true }));
}
