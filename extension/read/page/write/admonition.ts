/** Kinds that GitHub-flavoured Markdown knows. */
const KIND = /(?:^|[\s_-])(note|tip|important|warning|caution)(?:$|\s)/i;
const NAMED = /(?:^|[\s_-])(?:admonition|callout|alert|custom-block)(?:$|[\s_-])/i;
const TITLE = '[class*="title" i],[class*="heading" i],[class*="header" i]';

interface Admonition {
  /** `[!NOTE]`, if Markdown has one for it. */
  readonly mark: string | null;
  readonly title: Element;
  /** The mark says the same. */
  readonly isRepeated: boolean;
}

/** A note set apart from its text: an element that its class or role names so and that begins with a title. */
export function admonitionOf(el: Element): Admonition | null {
  if (!el.hasAttributes() || !(NAMED.test(el.className) || el.getAttribute('role') === 'note')) return null;
  const title = el.querySelector(TITLE);
  const text = title?.textContent.trim() ?? '';
  if (title === null || text === '' || !el.textContent.trimStart().startsWith(text)) return null;
  const kind = KIND.exec(el.className)?.[1]?.toUpperCase();
  return { mark: kind === undefined ? null : `[!${kind}]`, title, isRepeated: text.toUpperCase() === kind };
}
