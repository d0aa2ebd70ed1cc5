/** What is known of an element by its name alone. */
export const TAG = {
  /** Never rendered, or not text: always left out. */
  skip: 1,
  /** A block by the browser's own style sheet. */
  block: 2,
  /** Its children are not what a person sees (controls, media, frames). */
  atom: 4,
  /** Set off from its neighbours though in their line. */
  box: 8,
  /** May host a shadow root, in addition to custom elements (DOM standard). */
  host: 16,
  /** May hold another document. */
  frame: 32,
} as const;

const words = (text: string): string[] => text.split(' ');

const table = new Map<string, number>();
const add = (flag: number, names: string): void => {
  for (const name of words(names)) table.set(name, (table.get(name) ?? 0) | flag);
};

add(
  TAG.skip,
  'script style template noscript head meta link base title param source track datalist noembed noframes',
);
add(
  TAG.block,
  'html body address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure ' +
    'footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol optgroup option p ' +
    'plaintext pre search section summary table caption thead tbody tfoot tr td th colgroup col ul xmp',
);
add(TAG.atom, 'input textarea select img video audio canvas iframe frame object embed meter progress math');
add(TAG.box, 'button input textarea select meter progress');

add(TAG.frame, 'iframe frame object');
add(TAG.host, 'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span');

/** Bits of {@link TAG}. A name with a hyphen is a custom element's. */
export function tagBits(name: string): number {
  return table.get(name) ?? (name.includes('-') ? TAG.host : 0);
}
