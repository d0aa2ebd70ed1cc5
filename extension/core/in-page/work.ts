/**
 * A person's work in a document: the names of the fields that they have typed into, and whether it plays a stream of
 * somebody who speaks now. What is typed never leaves the page.
 */
export function lookForWork(): { fields: string[]; isInCall: boolean } {
  const roots: (Document | ShadowRoot)[] = [document];
  const { dom }: { readonly dom?: typeof chrome.dom } = chrome;
  // Firefox gives it to elements.
  const shadowOf = (el: HTMLElement & { readonly openOrClosedShadowRoot?: ShadowRoot | null }) =>
    dom === undefined ? (el.openOrClosedShadowRoot ?? null) : dom.openOrClosedShadowRoot(el);
  for (const root of roots)
    for (const element of root.querySelectorAll('*')) {
      const shadow = element instanceof HTMLElement ? shadowOf(element) : null;
      if (shadow !== null) roots.push(shadow);
    }
  const find = <E extends Element>(selector: string): E[] =>
    roots.flatMap((root) => [...root.querySelectorAll<E>(selector)]);
  const isTyped = (field: HTMLInputElement | HTMLTextAreaElement): boolean =>
    field.value !== '' &&
    (field.value !== field.defaultValue ||
      field.matches(':focus') ||
      // Libraries copy the text into the attribute, so it does not differ from what the page began with.
      field.matches(':user-valid, :user-invalid'));
  const nameOf = (element: HTMLElement): string => {
    const { labels } = element as Partial<HTMLInputElement>;
    const label = labels?.[0];
    const isSeen = label?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) === true;
    const named = element.getAttribute('aria-label') ?? (isSeen ? label.innerText : '');
    return (named || element.getAttribute('placeholder') || element.getAttribute('name') || '').trim();
  };
  const typed = find<HTMLInputElement | HTMLTextAreaElement>('input, textarea').filter(
    (field) =>
      !/^(?:hidden|submit|button|reset|image|checkbox|radio|range|color)$/.test(field.type) && isTyped(field),
  );
  const written = find<HTMLElement>('[contenteditable]').filter(
    (editor) => editor.isContentEditable && (editor.textContent ?? '').trim() !== '',
  );
  if (document.designMode === 'on') written.push(document.body);
  const isInCall = find<HTMLMediaElement>('video, audio').some(
    ({ paused, srcObject }) => !paused && srcObject instanceof MediaStream && srcObject.active,
  );
  return { fields: [...typed, ...written].map(nameOf), isInCall };
}
