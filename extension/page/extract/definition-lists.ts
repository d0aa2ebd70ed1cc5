import type { FieldPlan } from '../../../shared/extract/plan.ts';
import type { FoundRecord } from '../../../shared/extract/request.ts';
import { isInput, isSelect, isTextarea } from '../dom.ts';
import { assignLabels, isList, leavesOf, valueField } from './match.ts';
import type { Paths } from './paths.ts';
import { assemble, type LeafValue, type RecordSet } from './records.ts';
import { readScalar, readValue } from './values.ts';
import type { Root, View } from './view.ts';

/** A label and its value. */
interface Entry {
  readonly label: string;
  readonly values: readonly Element[];
}

/** A group of entries that says each label once. */
interface Group {
  readonly el: Element;
  readonly entries: Entry[];
}

/** A label of more than this is prose. */
const LABEL_UNITS = 60;
/** How unsure a label is that is only written like one. */
const WRITTEN = 0.9;

/** Lists of labels and values: `dl`, labelled controls, and lines such as "Label: value". */
export function readDefinitionLists(
  scope: Root | Element,
  fields: readonly FieldPlan[],
  view: View,
  paths: Paths,
): RecordSet[] {
  const groups = [...scope.querySelectorAll('dl')].flatMap((dl) => definitionGroups(dl, view));
  const whole = 'body' in scope ? scope.body : scope;
  const labelled = whole === null ? [] : [controlGroup(whole, view), writtenGroup(whole, view)];
  const sure = groups.map((group) => setOf([group], { fields, view, paths }, 1));
  const written = labelled
    .filter((group) => group !== null)
    .map((group) => setOf([group], { fields, view, paths }, WRITTEN));
  return [...sure, ...written].filter((set) => set !== null);
}

interface Tools {
  readonly fields: readonly FieldPlan[];
  readonly view: View;
  readonly paths: Paths;
}

function setOf(groups: readonly Group[], { fields, view, paths }: Tools, sure: number): RecordSet | null {
  const leaves = leavesOf(fields);
  const [first] = groups;
  if (first === undefined) return null;
  const assigned = assignLabels(
    leaves,
    first.entries.map(({ label }) => [label]),
  );
  if (assigned.size === 0) return null;
  return {
    strategy: 'definition_lists',
    where: 'tagName' in first.el ? paths.of(first.el) : '',
    size: groups.length,
    key: [...assigned]
      .map(([{ path }, { index }]) => `${path.join('.')}=${first.entries[index]?.label}`)
      .join('|'),
    worth: 1,
    records: function* (): Generator<FoundRecord> {
      for (const group of groups) {
        const values = [...assigned].flatMap(([leaf, { index, score }]): LeafValue[] => {
          const elements = group.entries[index]?.values ?? [];
          const value = valueOf(elements, leaf.field, view);
          const [at] = elements;
          return value === null || at === undefined
            ? []
            : [{ leaf, value, selector: paths.of(at), confidence: score * sure }];
        });
        yield {
          strategy: 'definition_lists',
          where: paths.of(group.el),
          lang: view.lang,
          fields: assemble('definition_lists', values),
        };
      }
    },
  };
}

function valueOf(elements: readonly Element[], field: FieldPlan, view: View) {
  const [first] = elements;
  if (first === undefined) return null;
  if (!isList(field) || elements.length === 1) return readValue(first, field, view);
  return elements.map((el) => readScalar(el, valueField(field), view)).filter((value) => value !== null);
}

/** The groups of a list: a label that was said before begins the next one. */
function definitionGroups(dl: Element, view: View): Group[] {
  const groups: Group[] = [];
  let entries: Entry[] = [];
  let labels: string[] = [];
  let values: Element[] = [];
  const flush = (): void => {
    if (values.length > 0) for (const label of labels) entries.push({ label, values });
    if (values.length > 0) labels = [];
    values = [];
  };
  for (const el of termsOf(dl)) {
    if (!view.isShown(el)) continue;
    if (el.localName === 'dd') values.push(el);
    else {
      flush();
      const label = labelText(view.text(el));
      if (entries.some((entry) => entry.label === label)) {
        groups.push({ el: dl, entries });
        entries = [];
      }
      labels.push(label);
    }
  }
  flush();
  if (entries.length > 0) groups.push({ el: dl, entries });
  return groups;
}

function* termsOf(dl: Element): Generator<Element> {
  for (const el of dl.children) {
    if (el.localName === 'dt' || el.localName === 'dd') yield el;
    else if (el.localName === 'div') yield* termsOf(el);
  }
}

const labelText = (text: string): string => text.replace(/\s*[:：]\s*$/, '');

/** Controls by their labels. What is secret stays where it is. */
function controlGroup(scope: Root | Element, view: View): Group | null {
  const entries: Entry[] = [];
  for (const label of scope.querySelectorAll('label')) {
    const control = controlOf(label, view);
    if (control === null || !isControl(control) || view.isSecret(control) || !view.isShown(control)) continue;
    const text = labelText(view.text(label));
    if (text !== '' && text.length <= LABEL_UNITS) entries.push({ label: text, values: [control] });
  }
  const el = elementOf(scope);
  return entries.length === 0 || el === null ? null : { el, entries };
}

function controlOf(label: Element, view: View): Element | null {
  const id = label.getAttribute('for');
  const isInDocument = 'getElementById' in label.getRootNode();
  const named = id !== null && isInDocument ? view.document.getElementById(id) : null;
  return named ?? label.querySelector('input,select,textarea,output');
}

const isControl = (el: Element): boolean =>
  isInput(el) || isSelect(el) || isTextarea(el) || el.localName === 'output';

/** `<b>Label:</b> value`: an element that ends with a colon, and the rest of its line. */
function writtenGroup(scope: Root | Element, view: View): Group | null {
  const entries: Entry[] = [];
  for (const el of scope.querySelectorAll('b,strong,span,em,th,h3,h4,h5,div,p,td,i')) {
    if (el.firstElementChild !== null) continue;
    const text = (el.textContent ?? '').trim();
    if (text.length < 2 || text.length > LABEL_UNITS || !/[:：]$/.test(text)) continue;
    const value = el.nextElementSibling ?? el.parentElement;
    if (value === null || !view.isShown(value)) continue;
    const label = labelText(text);
    if (value === el.parentElement) entries.push({ label, values: [withoutLabel(value, el)] });
    else if (!hasTextBetween(el)) entries.push({ label, values: [value] });
    else if (el.parentElement !== null) entries.push({ label, values: [withoutLabel(el.parentElement, el)] });
  }
  const el = elementOf(scope);
  return entries.length === 0 || el === null ? null : { el, entries };
}

/** `<b>Label:</b> text <i>note</i>`: the value is text and not the next element. */
function hasTextBetween(el: Element): boolean {
  for (let node = el.nextSibling; node !== null && node !== el.nextElementSibling; node = node.nextSibling)
    if ((node.nodeValue ?? '').trim() !== '' && node.nodeType === 3) return true;
  return false;
}

/** A copy of a line without its label, which only says what follows up to the next label. */
function withoutLabel(line: Element, label: Element): Element {
  const copy = line.cloneNode(false);
  for (let node = label.nextSibling; node !== null; node = node.nextSibling) {
    if (node.nodeType === 1 && /[:：]\s*$/.test(node.textContent ?? '')) break;
    if (node.nodeName === 'BR') break;
    copy.appendChild(node.cloneNode(true));
  }
  return isElementNode(copy) ? copy : line;
}

const isElementNode = (node: Node): node is Element => node.nodeType === 1;

function elementOf(scope: Root | Element): Element | null {
  if ('localName' in scope) return scope;
  return 'body' in scope ? scope.body : scope.host;
}
