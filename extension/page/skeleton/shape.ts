/** The two signatures by which similar siblings are recognised. */
export interface Shape {
  /** Name, classes, ids with their numbers left out, and what the children are. */
  readonly fine: string;
  /** Name and classes alone: alike but for what each is called. */
  readonly coarse: string;
}

const IDENTITY = ['id', 'name', 'role', 'type', 'for', 'data-testid', 'data-test', 'data-cy', 'data-qa'];
/** Children that count for a shape: enough to tell a row of headings from a row of cells. */
const CHILDREN = 8;
/** Of a list of classes or an id, what is looked at. */
const LOOKED_AT = 1_000;

/** Numbers and long hexadecimal words differ from sibling to sibling and say nothing of their kind. */
function withoutNumbers(text: string): string {
  return text
    .slice(0, LOOKED_AT)
    .replace(/[\da-f]{8,}(?:-[\da-f]{4,})*/gi, '0')
    .replace(/\d+/g, '0');
}

/** Computed from the element and its children alone, so that a walk stays linear. */
export function shapeOf(el: Element): Shape {
  const coarse = kindOf(el);
  let fine = coarse;
  if (el.hasAttributes())
    for (const name of IDENTITY) {
      const value = el.getAttribute(name);
      if (value !== null) fine += `[${name}=${withoutNumbers(value)}]`;
    }
  let last = '';
  let count = 0;
  for (
    let child = el.firstElementChild;
    child !== null && count < CHILDREN;
    child = child.nextElementSibling
  ) {
    const kind = kindOf(child);
    if (kind === last) continue;
    fine += `>${kind}`;
    last = kind;
    count += 1;
  }
  return { fine, coarse };
}

function kindOf(el: Element): string {
  const classes = el.getAttribute('class');
  if (classes === null) return el.localName;
  const sorted = withoutNumbers(classes)
    .split(/\s+/)
    .filter((name) => name !== '')
    .sort();
  return `${el.localName}.${sorted.join('.')}`;
}
