import { descriptionOf, computeName } from '../../../extension/dom/names/name.ts';
import { roleOf, statesOf } from '../../../extension/dom/names/role.ts';
import { LAB } from './lab-name.ts';
import { show } from './show.ts';

/** Role and name of one element as we compute them. */
interface Computed {
  /** Value of the element's `t` attribute, by which Chromium's tree is matched. */
  readonly mark: string;
  readonly tag: string;
  readonly role: string;
  readonly name: string;
  readonly description: string;
  readonly states: readonly string[];
}

function* targetsIn(root: ParentNode): Generator<Element> {
  for (const el of root.querySelectorAll('*')) {
    if (el.hasAttribute('t')) yield el;
    if (el.shadowRoot !== null) yield* targetsIn(el.shadowRoot);
  }
}

function computed(el: Element, mark: string): Computed {
  el.setAttribute('t', mark);
  const role = roleOf(el, el.localName);
  const name = computeName(el, role);
  return {
    mark,
    tag: el.localName,
    role,
    name,
    description: descriptionOf(el, name),
    states: statesOf(el, role),
  };
}

/**
 * Sets what only a script can set: references, whose selectors into any tree are in `data-label` and `data-note`, and
 * the message of an invalid field.
 */
function linkElements(): void {
  for (const el of targetsIn(document)) {
    const find = (name: string): Element[] => {
      const selector = el.getAttribute(`data-${name}`);
      const root = el.getRootNode();
      const outer = root instanceof ShadowRoot ? root.host.ownerDocument : document;
      return selector === null ? [] : [...outer.querySelectorAll(selector)];
    };
    const problem = el.getAttribute('data-problem');
    if (problem !== null && 'setCustomValidity' in el && typeof el.setCustomValidity === 'function')
      el.setCustomValidity(problem);
    if (el.hasAttribute('data-label')) el.ariaLabelledByElements = find('label');
    if (el.hasAttribute('data-note')) el.ariaDescribedByElements = find('note');
  }
}

const functions = {
  /** Shows a case and computes its marked elements; shadow trees are searched after their hosts. */
  async compute(html: string): Promise<Computed[]> {
    await show(html);
    linkElements();
    return [...targetsIn(document)].map((el, at) => computed(el, String(at)));
  },
};

export type AriaFunctions = typeof functions;

Reflect.set(globalThis, LAB, functions);
