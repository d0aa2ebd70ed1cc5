/** States that Chromium does not report, and elements without any; `aria/state-cases.ts` has the others. A page, and the states of its elements with a `t` attribute, in order. */
export const STATE_CASES: Readonly<Record<string, readonly [html: string, states: readonly string[]]>> = {
  none: ['<p t>a</p><button t>b</button>', ['', '']],
  'native state with the same attribute': [
    '<input t type="checkbox" checked aria-checked="true">',
    ['checked'],
  ],
  'expanded is undefined': ['<button t aria-expanded="undefined">a</button>', ['']],
  'in the legend of what is disabled': ['<fieldset disabled><legend><input t></legend></fieldset>', ['']],
  'option in a group that is disabled': [
    '<select><optgroup disabled><option t>a</optgroup></select>',
    ['disabled'],
  ],
  'group that is disabled': ['<fieldset t disabled></fieldset>', ['disabled']],
  'read only does not apply': ['<input t type="checkbox" readonly>', ['']],
  'required does not apply': ['<input t type="range" required><input t type="submit" required>', ['', '']],
  sorted: [
    '<table><tr><th t aria-sort="ascending">a</th><th t aria-sort="none">b</th><th t aria-sort="other">c</th></tr></table>',
    ['sort ascending', '', 'sort other'],
  ],
  current: [
    '<a t href="/x" aria-current="true">a</a><a t href="/x" aria-current="page">a</a>',
    ['current', 'current page'],
  ],
  busy: ['<div t aria-busy="true"></div>', ['busy']],
  level: ['<div t role="treeitem" aria-level="2">a</div><h2 t aria-level="3">b</h2>', ['level 2', '']],
  'several states': ['<input t type="checkbox" checked required disabled>', ['checked, disabled, required']],
  'empty attributes': [
    '<button t aria-pressed="" aria-expanded="" aria-invalid="" aria-current="" aria-haspopup="">a</button>',
    [''],
  ],
  'upper case': ['<button t aria-pressed="TRUE">a</button>', ['pressed']],
  'expanded is neither': ['<button t aria-expanded="maybe">a</button>', ['']],
};
