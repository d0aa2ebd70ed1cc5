/** One computation of one element: ours, and what an oracle says. */
export interface Comparison {
  /** `area: title` of the case. */
  readonly at: string;
  readonly tag: string;
  readonly of: 'role' | 'name';
  readonly ours: string;
  readonly theirs: string;
}

/** Chromium's own words for what ARIA has no role for, and for what it calls otherwise. */
const CHROMIUM_ROLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    (
      'generic none Abbr Audio Canvas DescriptionList Figcaption Iframe LabelText Legend PluginObject Video ' +
      'ColorWell Date DateTime InputTime LineBreak sectionheader sectionfooter'
    )
      .split(' ')
      .map((role) => [role, '']),
  ),
  image: 'img',
  DisclosureTriangle: 'button',
  MathMLMath: 'math',
  SvgRoot: 'img',
};
/** Our own words: for what an agent does with an element, where ARIA has no role or one that says less. */
const OWN_ROLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'none presentation generic iframe color date datetime month week file'
      .split(' ')
      .map((role) => [role, '']),
  ),
  image: 'img',
  password: 'textbox',
  summary: 'button',
};

export const fromChromium = (role: string): string => CHROMIUM_ROLES[role] ?? role;
export const fromLibrary = (role: string): string => OWN_ROLES[role] ?? role;
/** `time` is the role of the element, and our word for a field of that type. */
export const fromOurs = (role: string, tag: string): string =>
  role === 'time' && tag === 'input' ? '' : (OWN_ROLES[role] ?? role);
