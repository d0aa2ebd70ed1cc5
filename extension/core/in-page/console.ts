/*
 * Firefox: these run in the isolated world of a document, where page scripts reach neither them nor what they keep. They
 * replace the functions of the page's console by others that note each call first. Messages have the form in which the
 * debugger of Chromium reports them.
 */

/** Gives the world a function that describes values of the page without running its code. */
export function describeValues(): void {
  if (window.spillwayConsole !== undefined) return;
  // One character more than the worker keeps, which marks what it cuts.
  const [TEXT_UNITS, PREVIEW_UNITS, MEMBERS, CAUSES] = [10_001, 90, 21, 5];
  const textOf = (value: unknown): string => String(value).slice(0, TEXT_UNITS);
  /** A member with a value, of the object or of one that it inherits from: an accessor would run code. */
  const find = (value: object | null, name: string): unknown => {
    for (let at = value; at !== null; at = Reflect.getPrototypeOf(at)) {
      const own = Reflect.getOwnPropertyDescriptor(at, name);
      if (own !== undefined) return own.value;
    }
    return undefined;
  };
  let objects = 0;
  const classOf = (value: object): string => {
    const made = find(value, 'constructor');
    return typeof made === 'function' ? textOf(find(made, 'name')) : 'Object';
  };
  const membersOf = (value: object): [string, unknown][] => {
    const names = Array.isArray(value)
      ? Array.from({ length: Math.min(value.length, MEMBERS) }, (_, at) => String(at))
      : Object.keys(value).slice(0, MEMBERS);
    return names.map((name) => [name, Reflect.getOwnPropertyDescriptor(value, name)?.value]);
  };
  const errorOf = (value: object): string => {
    const stack: unknown = Reflect.get(value, 'stack');
    const frames = textOf(stack ?? '').replaceAll(/^(.*?)@(.+)$/gm, (_, name: string, place: string) =>
      name === '' ? `    at ${place}` : `    at ${name} (${place})`,
    );
    return `${textOf(find(value, 'name'))}: ${textOf(find(value, 'message') ?? '')}\n${frames}`.trimEnd();
  };
  const describe = (value: unknown, insides: PageFacts, level = 0, causes = 0): PageFacts => {
    const type = typeof value;
    if (type === 'string') return { type, value: textOf(value) };
    if (value === null) return { type, subtype: 'null', value };
    if (type === 'bigint') return { type, unserializableValue: `${textOf(value)}n` };
    if (type === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
      return { type, unserializableValue: Object.is(value, -0) ? '-0' : String(value) };
    if (typeof value === 'object') return describeObject(value, insides, level, causes);
    if (type === 'function' || type === 'symbol') return { type, description: textOf(value) };
    return { type, value };
  };
  const describeObject = (value: object, insides: PageFacts, level: number, causes: number): PageFacts => {
    const [type, className] = ['object', classOf(value)];
    const inside = (members: readonly [string, unknown][], next: number): string => {
      const objectId = String((objects += 1));
      insides[objectId] = [];
      insides[objectId] = members.map(([name, one]) => {
        return { name, enumerable: true, value: describe(one, insides, next, causes + 1) };
      });
      return objectId;
    };
    if (typeof find(value, 'stack') === 'string' || /Error$|^DOMException$/.test(className)) {
      const cause = Reflect.getOwnPropertyDescriptor(value, 'cause');
      const has = cause !== undefined && causes < CAUSES;
      const objectId = has ? { objectId: inside([['cause', cause.value]], level) } : {};
      return { type, subtype: 'error', className, description: errorOf(value), ...objectId };
    }
    if (value instanceof wrappedJSObject.Node)
      return { type, subtype: 'node', description: value.nodeName.toLowerCase() };
    const isList = Array.isArray(value);
    const size: unknown = /^(?:Map|Set)$/.test(className) ? Reflect.get(value, 'size') : null;
    if (typeof size === 'number') return { type, subtype: 'map', description: `${className}(${size})` };
    const described = {
      ...{ type, className, description: isList ? `Array(${value.length})` : className },
      ...(isList && { subtype: 'array' }),
    };
    if (level === 0) return { ...described, objectId: inside(membersOf(value), 1) };
    if (level > 1) return described;
    const properties = membersOf(value).map(([name, one]) => {
      const { type: kind, subtype, ...shown } = describe(one, insides, 2);
      const text = shown['unserializableValue'] ?? shown['value'] ?? shown['description'] ?? subtype ?? kind;
      return { name, type: kind, value: textOf(text).slice(0, PREVIEW_UNITS) };
    });
    return { ...described, preview: { overflow: properties.length === MEMBERS, properties } };
  };
  window.spillwayConsole = {
    records: [],
    isNoting: false,
    describe: (value, insides) => describe(XPCNativeWrapper.unwrap(value), insides),
  };
}

/** Notes the calls of the page's console from now on. @param kept the newest messages */
export function noteCalls(kept: number): void {
  const console = window.spillwayConsole;
  if (console === undefined || console.note !== undefined) return;
  const { describe, records } = console;
  // Frames of Firefox: `name@address:line:column`. The protocol counts from 0.
  const framesIn = (stack: unknown, own = ''): PageFrame[] =>
    [...String(stack).matchAll(/^(.*?)@(.+):(\d+):(\d+)$/gm)].flatMap(
      ([, functionName = '', url = '', line, column]) =>
        url === own
          ? []
          : [{ functionName, url, lineNumber: Number(line) - 1, columnNumber: Number(column) - 1 }],
    );
  const own = framesIn(new Error('here').stack)[0]?.url;
  const note = (message: PageFacts): void => {
    records.push(message);
    if (records.length > kept) records.shift();
  };
  const call = (type: string, values: readonly unknown[]): void => {
    const insides = {};
    const args = values.map((value) => describe(value, insides));
    const stackTrace = { callFrames: framesIn(new Error('here').stack, own) };
    note({ kind: 'call', call: { type, args, timestamp: Date.now(), stackTrace }, insides });
  };
  const page = wrappedJSObject.console;
  const types = {
    ...{ warn: 'warning', group: 'startGroup', groupCollapsed: 'startGroupCollapsed', groupEnd: 'endGroup' },
    ...{ debug: 'debug', log: 'log', info: 'info', error: 'error', dir: 'dir', dirxml: 'dirxml' },
    ...{ table: 'table', trace: 'trace', clear: 'clear', assert: 'assert' },
  };
  for (const [name, type] of Object.entries(types)) {
    const method = page[name];
    if (typeof method !== 'function') continue;
    const noting = (...args: unknown[]): void => {
      try {
        if (type !== 'assert') call(type, args);
        else if (!args[0]) call(type, args.slice(1));
      } catch {
        // A value that no script may look into: the page's call still counts.
      }
      Reflect.apply(method, page, args);
    };
    exportFunction(noting, page, { defineAs: name });
  }
  Object.assign(console, { note, framesIn });
}

/** Notes what the page throws and what its policy forbids, from now on. */
export function noteErrors(): void {
  const { spillwayConsole: console } = window;
  const { note, framesIn } = console ?? {};
  if (console === undefined || note === undefined || framesIn === undefined || console.isNoting) return;
  console.isNoting = true;
  const { describe, records } = console;
  let exceptions = 0;
  const thrown = (text: string, value: unknown, at: Partial<ErrorEvent>): PageFacts => {
    const insides = {};
    const exception = describe(value, insides);
    const callFrames = framesIn(
      typeof value === 'object' && value !== null ? Reflect.get(value, 'stack') : '',
    );
    const { filename = '', lineno = 1, colno = 1 } = at;
    const given = {
      url: filename,
      lineNumber: Math.max(0, lineno - 1),
      columnNumber: Math.max(0, colno - 1),
    };
    const { url, lineNumber, columnNumber } = filename === '' ? (callFrames[0] ?? given) : given;
    const exceptionDetails = {
      ...{ exceptionId: (exceptions += 1), text, exception, stackTrace: { callFrames } },
      ...{ url, lineNumber, columnNumber },
    };
    const message = { kind: 'exception', thrown: { timestamp: Date.now(), exceptionDetails }, insides };
    note(message);
    return message;
  };
  addEventListener('error', (event) => void thrown('Uncaught', event.error ?? event.message, event));
  const rejected = new WeakMap<object, PageFacts>();
  addEventListener('unhandledrejection', ({ promise, reason }) => {
    rejected.set(promise, thrown('Uncaught (in promise)', reason, {}));
  });
  addEventListener('rejectionhandled', ({ promise }) => {
    const at = records.findIndex((record) => record === rejected.get(promise));
    if (at >= 0) records.splice(at, 1);
  });
  document.addEventListener('securitypolicyviolation', (event) => {
    const { violatedDirective, blockedURI, sourceFile: url, lineNumber: line } = event;
    const text = `Content Security Policy: "${violatedDirective}" blocked ${blockedURI}`;
    const place = url === '' ? {} : { url, lineNumber: Math.max(0, line - 1) };
    const entry = { source: 'security', level: 'error', text, timestamp: Date.now(), ...place };
    note({ kind: 'log', log: { entry }, insides: {} });
  });
}

/** The messages of the document, as JSON. */
export function readConsole(): string {
  return JSON.stringify(window.spillwayConsole?.records ?? []);
}
