/** A page, and the states of its elements with a `t` attribute, in order. */
export const STATE_CASES: Readonly<Record<string, readonly [html: string, states: readonly string[]]>> = {
  none: ['<p t>a</p><button t>b</button>', ['', '']],
  'check boxes': ['<input t type="checkbox"><input t type="checkbox" checked>', ['', 'checked']],
  'radio buttons': ['<input t type="radio" checked>', ['checked']],
  'check box by role': [
    '<div t role="checkbox" aria-checked="true"></div><div t role="checkbox" aria-checked="false"></div><div t role="checkbox" aria-checked="mixed"></div>',
    ['checked', '', 'checked mixed'],
  ],
  'native state with a contrary attribute': [
    '<input t type="checkbox" checked aria-checked="false">',
    ['checked'],
  ],
  'native state with the same attribute': [
    '<input t type="checkbox" checked aria-checked="true">',
    ['checked'],
  ],
  options: ['<select><option t>a<option t selected>b</select>', ['', 'selected']],
  'options by role': ['<div t role="option" aria-selected="true">a</div>', ['selected']],
  tabs: ['<div t role="tab" aria-selected="true">a</div>', ['selected']],
  pressed: [
    '<button t aria-pressed="true">a</button><button t aria-pressed="mixed">a</button>',
    ['pressed', 'pressed mixed'],
  ],
  expanded: [
    '<button t aria-expanded="true">a</button><button t aria-expanded="false">a</button>',
    ['expanded', 'collapsed'],
  ],
  'expanded is undefined': ['<button t aria-expanded="undefined">a</button>', ['']],
  summary: [
    '<details><summary t>a</summary></details><details open><summary t>a</summary></details>',
    ['collapsed', 'expanded'],
  ],
  'has a popup': [
    '<button t aria-haspopup="true">a</button><button t aria-haspopup="dialog">a</button><button t aria-haspopup="false">a</button>',
    ['menu', 'dialog', ''],
  ],
  disabled: [
    '<button t disabled>a</button><fieldset disabled><input t></fieldset><div t role="button" aria-disabled="true">a</div>',
    ['disabled', 'disabled', 'disabled'],
  ],
  'in the legend of what is disabled': ['<fieldset disabled><legend><input t></legend></fieldset>', ['']],
  'option in a group that is disabled': [
    '<select><optgroup disabled><option t>a</optgroup></select>',
    ['disabled'],
  ],
  'group that is disabled': ['<fieldset t disabled></fieldset>', ['disabled']],
  required: ['<input t required><div t role="textbox" aria-required="true"></div>', ['required', 'required']],
  'read only': [
    '<input t readonly><div t role="textbox" aria-readonly="true"></div>',
    ['readonly', 'readonly'],
  ],
  'read only does not apply': ['<input t type="checkbox" readonly>', ['']],
  'required does not apply': ['<input t type="range" required><input t type="submit" required>', ['', '']],
  invalid: [
    '<input t aria-invalid="true"><input t aria-invalid="spelling"><input t aria-invalid="false">',
    ['invalid', 'invalid', ''],
  ],
  'invalid by what was entered': [
    '<input t type="email" value="x"><input t type="number" max="5" value="9"><input t pattern="a" value="b"><input t type="email" value="a@b.test">',
    ['invalid', 'invalid', 'invalid', ''],
  ],
  'missing is not invalid yet': [
    '<input t required><select t required><option value="">a</select>',
    ['required', 'required'],
  ],
  'invalid by what was entered, denied by the author': [
    '<input t type="email" value="x" aria-invalid="false">',
    [''],
  ],
  'the form of an invalid field': [
    '<form t><fieldset t><input type="email" value="x"></fieldset></form>',
    ['', ''],
  ],
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
  'select of several': ['<select t multiple></select>', ['multiple']],
  'listbox of several by role': ['<div t role="listbox" aria-multiselectable="true"></div>', ['multiple']],
  'several states': ['<input t type="checkbox" checked required disabled>', ['checked, disabled, required']],
  'empty attributes': [
    '<button t aria-pressed="" aria-expanded="" aria-invalid="" aria-current="" aria-haspopup="">a</button>',
    [''],
  ],
  'upper case': ['<button t aria-pressed="TRUE">a</button>', ['pressed']],
  'expanded is neither': ['<button t aria-expanded="maybe">a</button>', ['']],
};
