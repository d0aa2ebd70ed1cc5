import type { Frame } from 'playwright';

/**
 * What a tool for accessibility would find in a widget: controls without a name, states that point
 * nowhere, tables without heads, bars without a value, text that is hard to read. Empty where all is well.
 */
export const auditWidget = (frame: Frame): Promise<string[]> =>
  frame.evaluate(() => {
    const found: string[] = [];
    const all = [...document.querySelectorAll<HTMLElement>('body *')];
    const nameOf = (element: Element): string =>
      (element.getAttribute('aria-label') ?? element.textContent).trim();
    const say = (problem: string, element: Element): void => {
      found.push(`${problem}: ${element.outerHTML.slice(0, 120)}`);
    };
    const ids = all.map(({ id }) => id).filter((id) => id !== '');
    if (new Set(ids).size !== ids.length) found.push(`an id occurs twice: ${ids.join(' ')}`);
    if (document.documentElement.lang === '') found.push('the document has no language');
    if (document.querySelectorAll('h1').length !== 1) found.push('there is not one heading');
    if (document.querySelectorAll('main').length !== 1) found.push('there is not one main part');
    const auditControl = (element: HTMLElement): void => {
      const isNamed = 'button, a[href], [role=region], [role=progressbar], section, table';
      if (element.matches(isNamed) && nameOf(element) === '') say('no name', element);
      if (element.tabIndex > 0) say('a tab index of its own', element);
      const now = element.getAttribute('aria-valuenow');
      if (now !== null && !(Number(now) >= 0 && Number(now) <= Number(element.getAttribute('aria-valuemax'))))
        say('a value out of its range', element);
    };
    const pointsNowhere = (element: Element, attribute: string): boolean => {
      const id = element.getAttribute(attribute);
      return id !== null && document.getElementById(id) === null;
    };
    const auditTable = (element: Element): void => {
      if (element.matches('table') && element.querySelector('thead th[scope=col]') === null)
        say('no head', element);
      if (element.matches('tbody tr') && element.querySelector('th[scope=row], td[colspan]') === null)
        say('no head of its row', element);
    };
    for (const element of all) {
      auditControl(element);
      auditTable(element);
      if (pointsNowhere(element, 'aria-controls')) say('controls nothing', element);
      if (pointsNowhere(element, 'aria-labelledby')) say('labelled by nothing', element);
    }

    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgbaOf = (color: string): number[] => {
      if (context === null) return [0, 0, 0, 1];
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
      const [r = 0, g = 0, b = 0, a = 0] = context.getImageData(0, 0, 1, 1).data;
      return [r, g, b, a / 255];
    };
    const over = (above: number[], below: number[]): number[] => {
      const alpha = above[3] ?? 1;
      return [0, 1, 2].map((at) => (above[at] ?? 0) * alpha + (below[at] ?? 0) * (1 - alpha)).concat(1);
    };
    const groundOf = (element: Element | null): number[] => {
      if (element === null) return [255, 255, 255, 1];
      const own = rgbaOf(getComputedStyle(element).backgroundColor);
      return (own[3] ?? 0) === 1 ? own : over(own, groundOf(element.parentElement));
    };
    const lightOf = (color: number[]): number => {
      const [r = 0, g = 0, b = 0] = color.map((part) => {
        const unit = part / 255;
        return unit <= 0.03928 ? unit / 12.92 : ((unit + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrastOf = (element: Element): number => {
      const ground = groundOf(element);
      const ink = over(rgbaOf(getComputedStyle(element).color), ground);
      const [low = 0, high = 0] = [lightOf(ink), lightOf(ground)].sort((a, b) => a - b);
      return (high + 0.05) / (low + 0.05);
    };
    for (const element of all) {
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
      );
      const isDimmed = element.closest('[aria-disabled=true], .c-unseen') !== null;
      if (!hasText || isDimmed || !element.checkVisibility()) continue;
      const contrast = contrastOf(element);
      if (contrast < 4.5) say(`a contrast of ${contrast.toFixed(2)}`, element);
    }
    return found;
  });
