import { cut } from '../../../shared/base/cut.ts';
import { computeName } from '../../dom/names/name.ts';
import { roleOf } from '../../dom/names/role.ts';
import { attributesOf, isLabelable } from '../../dom/elements.ts';
import { isAttributeShown, isShown, shownTextIn } from '../../dom/visible.ts';

const SNIPPET_UNITS = 120;
const VALUE_UNITS = 40;
const NAME_UNITS = 60;
/** Text that a person may have typed, and a whole document. */
const UNSHOWN = new Set(['value', 'srcdoc']);

/** An element of a finding, for a reader without the page. */
export function describeFinding(el: Element): {
  readonly role: string;
  readonly name: string;
  /** Its opening tag, without hidden text. */
  readonly snippet: string;
} {
  const role = roleOf(el, el.localName);
  const name = isShown(el) ? computeName(el, role) || (isLabelable(el) ? '' : shownTextIn(el)) : '';
  const attributes = attributesOf(el)
    .filter(([attribute]) => !UNSHOWN.has(attribute) && isAttributeShown(el, attribute))
    .map(([attribute, value]) => ` ${attribute}=${JSON.stringify(cut(value, VALUE_UNITS))}`);
  const snippet = cut(`<${el.localName}${attributes.join('')}>`, SNIPPET_UNITS).toWellFormed();
  return { role, name: cut(name, NAME_UNITS), snippet };
}
