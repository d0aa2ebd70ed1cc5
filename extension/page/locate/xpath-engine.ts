import { isDocument, isElement } from '../dom.ts';
import { invalid, type SelectorPart } from './fault.ts';
import { documentsIn, type Scope } from './trees.ts';

/**
 * `xpath=`: in documents, and not in shadow trees: XPath has no nodes for those.
 *
 * @throws PageError `selector_invalid`
 */
export function findXPath(scope: Scope, part: SelectorPart): Element[] {
  return [scope, ...documentsIn(scope)].flatMap((each) => evaluate(each, part));
}

function evaluate(scope: Scope, part: SelectorPart): Element[] {
  const document = isDocument(scope) ? scope : scope.ownerDocument;
  const path = part.body.startsWith('/') && isElement(scope) ? `.${part.body}` : part.body;
  const found: Element[] = [];
  try {
    const nodes = document.evaluate(path, scope, null, XPathResult.ORDERED_NODE_ITERATOR_TYPE);
    for (let node = nodes.iterateNext(); node !== null; node = nodes.iterateNext())
      if (isElement(node)) found.push(node);
  } catch {
    throw invalid(part, `${JSON.stringify(part.body)} is not an XPath of elements`);
  }
  return found;
}
