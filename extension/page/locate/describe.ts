import { cut } from '../../../shared/cut.ts';
import { nameOf } from '../aria/name.ts';
import { roleOf } from '../aria/role.ts';
import { squash } from '../dom.ts';
import { placeOf } from '../find/contexts.ts';
import type { Refs } from '../refs.ts';
import { CONTROLS, controlKind } from '../write/controls.ts';
import { controlLine, headOf, withSpace } from '../write/snapshot-words.ts';

const NAME_UNITS = 100;
const PLACE_UNITS = 60;
const LINE_UNITS = 300;

/** An element as in a snapshot, with its place: `e13 button Save · row "Invoice 7"`. */
export function describeElement(el: Element, refs: Refs): string {
  const role = roleOf(el, el.localName);
  const name = nameOf(el, role) || squash(el.textContent ?? '');
  const line =
    CONTROLS.has(el.localName) && controlKind(el) !== null
      ? controlLine(el, role, refs)
      : `${headOf(el, role === '' ? 'text' : role, refs)}${withSpace(cut(name, NAME_UNITS))}`;
  const place = placeOf(el);
  const isNew = place !== null && place.text !== '' && place.text !== name;
  return (
    cut(line, LINE_UNITS) + (isNew ? ` · ${place.kind} ${JSON.stringify(cut(place.text, PLACE_UNITS))}` : '')
  );
}
