/**
 * A line by which a person knows where they are: of the first message or heading that they see, its longest part without
 * digits, since these may change. Empty if nothing matches. The page runs this function alone, so it uses nothing outside.
 */
export function shownHeading(): string {
  for (const where of ['[role=alert],[role=status]', 'main :is(h1,h2)', 'h1,h2'])
    for (const part of document.querySelectorAll<HTMLElement>(where)) {
      const isSeen = part.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      const [line = ''] = isSeen ? part.innerText.trim().split('\n') : [];
      const [longest = ''] = line.split(/[\d.,:#]*\d[\d.,:]*/).toSorted((a, b) => b.length - a.length);
      const text = longest.trim();
      if (/\p{L}{2}/u.test(text) && text.length <= 200) return text;
    }
  return '';
}
