import type { FieldPlan } from '../../../shared/extract/plan.ts';
import type { FoundRecord } from '../../../shared/extract/request.ts';
import { allIn, attrOf, firstIn, isInput, isSelect, isTextarea, tagOf } from '../dom.ts';
import { assignPairs, pairsWithin } from './pairs.ts';
import { assignLinked, assignLabels, isList, leavesOf, valueField } from './match.ts';
import { isOffSubject } from './groups.ts';
import type { Paths, Root, View } from './view.ts';
import { assemble, type LeafValue, type RecordSet } from './records.ts';
import { readScalar, readValue } from './values.ts';

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
/** How unsure the label of a control is. */
const WRITTEN = 0.9;

/** Lists of labels and values: `dl`, labelled controls, rows of two parts, and lines such as "Label: value". */
export function readDefinitionLists(
  scope: Root | Element,
  fields: readonly FieldPlan[],
  view: View,
  paths: Paths,
): RecordSet[] {
  const groups = allIn(scope, 'dl').flatMap((dl) => definitionGroups(dl, view));
  const whole = 'body' in scope ? scope.body : scope;
  const controls = whole === null ? null : controlGroup(whole, view);
  const tools = { fields, view, paths };
  const sure = groups.map((group) => setOf([group], tools, 1));
  const labelled = controls === null ? null : setOf([controls], tools, WRITTEN);
  const written = whole === null ? null : writtenSet(whole, tools);
  return [...sure, labelled, written].filter((set) => set !== null);
}

/** Labels and values that are written as rows and lines, except what a page lists next to its subject. */
function writtenSet(scope: Root | Element, { fields, view, paths }: Tools): RecordSet | null {
  const el = elementOf(scope);
  if (el === null) return null;
  // Lists of definitions are read as such: a term may have several.
  const pairs = pairsWithin(scope, view, isOffSubject(scope)).filter(({ kind }) => kind !== 'list');
  const assigned = assignPairs(leavesOf(fields), pairs, view);
  if (assigned.size === 0) return null;
  const record: FoundRecord = {
    strategy: 'definition_lists',
    where: paths.of(el),
    lang: view.lang,
    fields: assemble(
      'definition_lists',
      [...assigned].map(([leaf, { pair, value, score }]) => ({
        leaf,
        value,
        selector: paths.of(pair.at),
        confidence: score,
      })),
    ),
  };
  return {
    strategy: 'definition_lists',
    where: record.where,
    size: 1,
    key: null,
    worth: 1,
    records: () => [record],
  };
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
  const labels = first.entries.map(({ label }) => [label]);
  const assigned = assignLinked(leaves, labels, assignLabels(leaves, labels));
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
    if (tagOf(el) === 'dd') values.push(el);
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
    if (tagOf(el) === 'dt' || tagOf(el) === 'dd') yield el;
    else if (tagOf(el) === 'div') yield* termsOf(el);
  }
}

const labelText = (text: string): string => text.replace(/\s*[:：]\s*$/, '');

/** Controls by their labels. What is secret stays where it is. */
function controlGroup(scope: Root | Element, view: View): Group | null {
  const entries: Entry[] = [];
  for (const label of allIn(scope, 'label')) {
    const control = controlOf(label, view);
    if (control === null || !isControl(control) || view.isSecret(control) || !view.isShown(control)) continue;
    const text = labelText(view.text(label));
    if (text !== '' && text.length <= LABEL_UNITS) entries.push({ label: text, values: [control] });
  }
  const el = elementOf(scope);
  return entries.length === 0 || el === null ? null : { el, entries };
}

function controlOf(label: Element, view: View): Element | null {
  const id = attrOf(label, 'for');
  const isInDocument = 'getElementById' in label.getRootNode();
  const named = id !== null && isInDocument ? view.document.getElementById(id) : null;
  return named ?? firstIn(label, 'input,select,textarea,output');
}

const isControl = (el: Element): boolean =>
  isInput(el) || isSelect(el) || isTextarea(el) || tagOf(el) === 'output';

function elementOf(scope: Root | Element): Element | null {
  if ('localName' in scope) return scope;
  return 'body' in scope ? scope.body : scope.host;
}
