import { computeAccessibleName, getRole } from 'dom-accessibility-api';
import { nameOf } from '../../../extension/page/aria/name.ts';
import { roleOf } from '../../../extension/page/aria/role.ts';
import { LAB } from './lab-name.ts';
import { show } from './show.ts';

/** Role and name of one element as we and the library compute them. */
export interface Computed {
  /** Value of the element's `t` attribute, by which Chromium's tree is matched. */
  readonly mark: string;
  readonly tag: string;
  readonly role: string;
  readonly name: string;
  readonly libraryRole: string;
  readonly libraryName: string;
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
  return {
    mark,
    tag: el.localName,
    role,
    name: nameOf(el, role),
    libraryRole: getRole(el) ?? '',
    libraryName: computeAccessibleName(el, { computedStyleSupportsPseudoElements: true }),
  };
}

const functions = {
  /** Shows a case and computes its marked elements; shadow trees are searched after their hosts. */
  async compute(html: string): Promise<Computed[]> {
    await show(html);
    return [...targetsIn(document)].map((el, at) => computed(el, String(at)));
  },
};

export type AriaFunctions = typeof functions;

Reflect.set(globalThis, LAB, functions);
