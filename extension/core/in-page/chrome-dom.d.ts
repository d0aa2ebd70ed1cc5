/** The part of the extension's API that injected functions have. */
declare const chrome: {
  readonly dom: { openOrClosedShadowRoot(element: HTMLElement): ShadowRoot | null };
};

type PageMethod = (...args: unknown[]) => unknown;

/** The same of Firefox, where the isolated world sees objects of the page as they were made by the browser. */
declare const wrappedJSObject: {
  readonly console: Record<string, PageMethod>;
  readonly Node: typeof Node;
};
declare const XPCNativeWrapper: { unwrap(value: unknown): unknown };
declare const exportFunction: (method: PageMethod, into: object, how: { defineAs: string }) => void;

type PageFacts = Record<string, unknown>;

/** Of a stack, in the form of the debugger's protocol. */
interface PageFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

interface Window {
  /** The messages of a document, in the isolated world: functions that are passed as text share it. */
  spillwayConsole?: {
    readonly records: PageFacts[];
    readonly describe: (value: unknown, insides: PageFacts) => PageFacts;
    isNoting: boolean;
    readonly note?: (message: PageFacts) => void;
    readonly framesIn?: (stack: unknown) => PageFrame[];
  };
}
