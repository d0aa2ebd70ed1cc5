/*
 * The components that drew an element, as the development builds of their frameworks leave them in the page. These run
 * where the page's own properties can be seen: in the page's world with the element, or, given null and a ref, in
 * Firefox's isolated one, from which they look through. Each finds a component's `up`, how far from the element its
 * framework knows of it, and `own`, the position of its own function among `functions`.
 */

/** Of React, Vue and Svelte, innermost first. */
export function describeRendered(given: Element | null, ref = '', viewer = '') {
  const functions: unknown[] = [];
  const components: object[] = [];
  const at = (value: unknown, ...path: readonly string[]): unknown =>
    path.reduce<unknown>(
      (of, name) => (Object(of) === of ? Reflect.get(Object(of), name) : undefined),
      value,
    );
  const isElement = (value: unknown): value is Element => at(value, 'nodeType') === 1;
  // The page may lead in circles.
  let left = 500;
  const isLeft = (value: unknown): boolean => Boolean(value) && (left -= 1) > 0;
  const text = (value: unknown, most = 1_000): string | undefined =>
    typeof value === 'string' && value !== '' ? value.slice(0, most) : undefined;
  const nameIn = (file: unknown): string | undefined => text(file)?.replace(/^.*[/\\]|\.\w+$/g, '');
  const add = (found: object, file: unknown, own?: unknown): void => {
    const isOwn = typeof own === 'function';
    if (components.length < 20)
      components.push({ ...found, file: text(file), ...(isOwn && { own: functions.push(own) - 1 }) });
  };
  const nameOf = (type: unknown): string | undefined =>
    [['displayName'], ['name'], ['render', 'name'], ['type', 'name']]
      .map((path) => text(at(type, ...path)))
      .find((name) => name !== undefined);
  // https://github.com/facebook/react/blob/main/packages/react-reconciler/src/ReactInternalTypes.js
  const addReact = (first: unknown): void => {
    // A component of the server has no fiber.
    const ownerOf = (inner: unknown): unknown => at(inner, '_debugOwner') ?? at(inner, 'owner');
    for (let inner = first, owner = ownerOf(first); isLeft(owner); inner = owner, owner = ownerOf(owner)) {
      const source = at(inner, '_debugSource');
      const place = { line: at(source, 'lineNumber'), column: at(source, 'columnNumber') };
      const stack = text(at(inner, '_debugStack', 'stack') ?? at(inner, 'debugStack', 'stack'), 4_000);
      const name = text(at(owner, 'name')) ?? nameOf(at(owner, 'type'));
      add({ framework: 'react', name, ...place, stack }, at(source, 'fileName'), at(owner, 'type'));
    }
    // A production build knows only names.
    const isKnown = components.length > 0;
    for (let fiber = first; !isKnown && isLeft(fiber); fiber = at(fiber, 'return')) {
      const type = at(fiber, 'type');
      if (typeof type === 'function') add({ framework: 'react', name: nameOf(type) }, undefined, type);
    }
  };
  const addVue = (first: unknown): void => {
    for (let one = first; isLeft(one); one = at(one, 'parent') ?? at(one, '$parent')) {
      const type = at(one, 'type') ?? at(one, '$options');
      const file = at(type, '__file');
      const name = text(at(type, 'name')) ?? text(at(type, '__name')) ?? nameIn(file);
      add({ framework: 'vue', name }, file, at(type, 'setup') ?? at(type, 'render'));
    }
  };
  const addSvelte = (meta: unknown): void => {
    for (let one = at(meta, 'loc'), around = at(meta, 'parent'); isLeft(one); around = at(around, 'parent')) {
      const column = Number(at(one, 'column')) + 1;
      add(
        { framework: 'svelte', name: nameIn(at(one, 'file')), line: at(one, 'line'), column },
        at(one, 'file'),
      );
      while (isLeft(around) && at(around, 'type') !== 'component') around = at(around, 'parent');
      one = around;
    }
  };
  const page: unknown = Reflect.get(globalThis, Symbol.for('spillway.page'));
  const find: unknown = at(page, 'element');
  const found: unknown =
    given ?? (typeof find === 'function' && at(Reflect.apply(find, page, [ref, viewer]), 'wrappedJSObject'));
  if (!isElement(found)) return null;
  let up = 0;
  for (let node: unknown = found; isElement(node) && components.length === 0; up += 1) {
    const key = Object.getOwnPropertyNames(node).find((name) =>
      /^__react(?:Fiber|InternalInstance)\$/.test(name),
    );
    if (key !== undefined) addReact(at(node, key));
    else if (at(node, '__svelte_meta')) addSvelte(at(node, '__svelte_meta'));
    else addVue(at(node, '__vueParentComponent') ?? at(node, '__vue__'));
    node = node.parentElement ?? at(node.getRootNode(), 'host');
  }
  const all = JSON.stringify(components.map((one) => ({ ...one, up: up - 1 })));
  return given === null ? { text: all } : { text: all, functions };
}

/** Of Angular, and custom elements such as Lit's, innermost first. */
export function describeHosts(given: Element | null, ref = '', viewer = '') {
  const functions: unknown[] = [];
  const components: object[] = [];
  const at = (value: unknown, ...path: readonly string[]): unknown =>
    path.reduce<unknown>(
      (of, name) => (Object(of) === of ? Reflect.get(Object(of), name) : undefined),
      value,
    );
  const isElement = (value: unknown): value is Element => at(value, 'nodeType') === 1;
  // The page may lead in circles.
  let left = 500;
  const isLeft = (value: unknown): boolean => Boolean(value) && (left -= 1) > 0;
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' && value !== '' ? value.slice(0, 1_000) : undefined;
  const add = (found: object, own: unknown): void => {
    if (components.length < 20) components.push({ ...found, own: functions.push(own) - 1 });
  };
  // https://angular.dev/api/core/globals
  const addAngular = (el: Element, up: number): boolean => {
    const ng = at(el.ownerDocument.defaultView, 'ng');
    const ask = (name: string, of: unknown): unknown => {
      const asked = at(ng, name);
      return typeof asked === 'function' ? Reflect.apply(asked, ng, [of]) : null;
    };
    let one = ask('getComponent', el) ?? ask('getOwningComponent', el);
    const isFound = Boolean(one);
    for (; isLeft(one); one = ask('getOwningComponent', ask('getHostElement', one))) {
      const type = at(one, 'constructor');
      const debug = at(type, 'ɵcmp', 'debugInfo');
      const place = { file: text(at(debug, 'filePath')), line: at(debug, 'lineNumber') };
      const name = text(at(debug, 'className')) ?? text(at(type, 'name'));
      add({ framework: 'angular', name, ...place, up }, type);
    }
    return isFound;
  };
  const addCustom = (el: Element, up: number): void => {
    const type = at(el, 'constructor');
    if (!el.localName.includes('-') || at(type, 'name') === 'HTMLElement') return;
    const framework = at(type, 'elementProperties') === undefined ? 'custom element' : 'lit';
    add({ framework, name: text(at(type, 'name')) ?? el.localName, up }, type);
  };
  const page: unknown = Reflect.get(globalThis, Symbol.for('spillway.page'));
  const find: unknown = at(page, 'element');
  const found: unknown =
    given ?? (typeof find === 'function' && at(Reflect.apply(find, page, [ref, viewer]), 'wrappedJSObject'));
  if (!isElement(found)) return null;
  let isDrawn = true;
  let up = 0;
  for (let node: unknown = found; isElement(node); up += 1) {
    if (addAngular(node, up)) break;
    // An element among the children of a custom element is not drawn by it.
    if (isDrawn) addCustom(node, up);
    const inner: Element | null = node.parentElement;
    isDrawn = inner === null;
    node = inner ?? at(node.getRootNode(), 'host');
  }
  const all = JSON.stringify(components);
  return given === null ? { text: all } : { text: all, functions };
}

/** Computed values of an element by property; null if it is gone. Runs in the extension's own world. */
export function readComputed(
  ref: string,
  viewer: string,
  names: readonly string[],
): [string, string][] | null {
  const page: unknown = Reflect.get(globalThis, Symbol.for('spillway.page'));
  const find: unknown = Reflect.get(Object(page), 'element');
  const el: unknown = typeof find === 'function' ? Reflect.apply(find, page, [ref, viewer]) : null;
  if (!(el instanceof Element)) return null;
  const style = getComputedStyle(el);
  return names.map((name) => [name, style.getPropertyValue(name)]);
}
