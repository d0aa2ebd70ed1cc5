/** The part of the extension's API that injected functions have. */
declare const chrome: {
  readonly dom: { openOrClosedShadowRoot(element: HTMLElement): ShadowRoot | null };
};
