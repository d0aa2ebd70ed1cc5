/** Chromium's own words for what ARIA has no role for, and for what it calls otherwise. */
const CHROMIUM_ROLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    (
      'IframePresentational generic none Abbr Audio Canvas DescriptionList Figcaption Iframe LabelText Legend PluginObject Video ' +
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
/** `time` is the role of the element, and our word for a field of that type. */
export const fromOurs = (role: string, tag: string): string =>
  role === 'time' && tag === 'input' ? '' : (OWN_ROLES[role] ?? role);

/** States that both have a word for, as we say them. */
const SHARED =
  /^(?:checked|pressed|selected|expanded|collapsed|disabled|required|readonly|invalid|multiple|menu|dialog)\b/;

export const statesOfOurs = (states: readonly string[]): string[] =>
  states.filter((state) => SHARED.test(state)).sort();

const isSet = (value: unknown): boolean => value === true || value === 'true';

/** The states of a node of Chromium's tree in our words. */
export function statesOfChromium(properties: Readonly<Record<string, unknown>>): string[] {
  const states: string[] = [];
  for (const name of ['checked', 'pressed'])
    if (properties[name] === 'mixed') states.push(`${name} mixed`);
    else if (isSet(properties[name])) states.push(name);
  for (const name of ['selected', 'disabled', 'required', 'readonly'])
    if (isSet(properties[name])) states.push(name);
  if (isSet(properties.multiselectable)) states.push('multiple');
  if (properties.expanded !== undefined) states.push(isSet(properties.expanded) ? 'expanded' : 'collapsed');
  if (typeof properties.hasPopup === 'string' && properties.hasPopup !== 'false')
    states.push(isSet(properties.hasPopup) ? 'menu' : properties.hasPopup);
  if (properties.invalid !== undefined && properties.invalid !== 'false') states.push('invalid');
  return states.sort();
}
