import { sample } from '../../support/depth.ts';
import { it } from 'vitest';
import { actingRig } from './rig.ts';

interface FieldsCase {
  readonly page: string;
  readonly fields: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly holds: Readonly<Record<string, string>>;
}

const field = (name: string, more = ''): string => `<label>${name} <input name="${name}" ${more}></label>`;
const two = { A: 'one', B: 'two' };

const CASES: Readonly<Record<string, FieldsCase>> = {
  'all rendered again at each input': {
    page: `<form id=form></form><script>
      const state = { A: '', B: '', C: '' };
      const render = () => {
        form.innerHTML = Object.keys(state).map((name) => '<label>' + name + ' <input name=' + name + '></label>').join('');
        for (const input of form.elements) input.value = state[input.name];
      };
      form.oninput = ({ target }) => { state[target.name] = target.value; render(); };
      render();
    </script>`,
    fields: { A: 'one', B: 'two', C: 'three' },
    holds: { A: 'one', B: 'two', C: 'three' },
  },
  'labels that change places at the input': {
    page: `<p><span id=x>A</span><input name=first aria-labelledby=x></p><p><span id=y>B</span><input name=second aria-labelledby=y></p>
      <p><span id=z>C</span><input name=third aria-labelledby=z></p>
      <script>document.querySelector('[name=first]').oninput = () => { y.textContent = 'C'; z.textContent = 'B'; };</script>`,
    fields: { A: 'one', B: 'two', C: 'three' },
    holds: { first: 'one', second: 'three', third: 'two' },
  },
  'a field that appears a moment after the input': {
    page: `${field('A')}<div id=place></div><script>
      document.querySelector('input').oninput = () => setTimeout(() => { place.innerHTML = '<label>B <input name=B></label>'; }, 80);</script>`,
    fields: two,
    holds: { A: 'one', B: 'two' },
  },
  'an editor that writes by itself': {
    page: `<div contenteditable role=textbox aria-label=A id=a></div>${field('B')}<input name=shown hidden><script>
      a.addEventListener('beforeinput', (event) => { event.preventDefault(); a.textContent += event.data ?? ''; document.querySelector('[name=shown]').value = a.textContent; });</script>`,
    fields: two,
    holds: { shown: 'one', B: 'two' },
  },
  'numbers, a field that is emptied, and an empty one that stays so': {
    page: `${field('A', 'type=number')}${field('B', 'value=before')}${field('C')}${field('D')}`,
    fields: { A: 7, B: '', C: '', D: 'four' },
    holds: { A: '7', B: '', C: '', D: 'four' },
  },
  'a choice that loads the page again': {
    page: `<form>${field('A')}<label>B <select name=B onchange="this.form.submit()"><option>one<option>two</select></label></form><script>
      for (const [name, value] of new URLSearchParams(location.search)) document.querySelector('[name=' + name + ']').value = value;</script>`,
    fields: two,
    holds: two,
  },
  'in frames of another site by turns': {
    page: `${field('A')}<iframe src="http://b.test:PORT/inner"></iframe>${field('C')}<input name=copy hidden>
      <script>onmessage = ({ data }) => { document.querySelector('[name=copy]').value = data; };</script>`,
    fields: { A: 'one', B: 'two', C: 'three' },
    holds: { A: 'one', copy: 'two', C: 'three' },
  },
};

/** Pages that end a run of text fields: the lines of the receipt up to there. */
const ENDS: Readonly<Record<string, { readonly page: string; readonly told: readonly RegExp[] }>> = {
  'a dialog at the second': {
    page: `${field('A')}${field('B', `oninput="alert('Stop')"`)}${field('C')}`,
    told: [/^done 2$/m, /^A = one$/m, /not tried: C/, /dialog/],
  },
  'one that takes only other numbers': {
    page: `${field('A')}${field('B', 'type=number max=5')}${field('C')}`,
    told: [/B\): .* takes any number to 5, not 22/, /Done before it: A. Not tried: C/],
  },
  'one that takes a password': {
    page: `${field('A')}${field('B', 'type=password')}${field('C')}`,
    told: [/B\): .* takes a password/, /Done before it: A. Not tried: C/],
  },
  'a name of two': {
    page: `${field('A')}${field('B')}${field('B')}${field('C')}`,
    told: [/Field ..B.. means 2 elements/, /Done before it: A. Not tried: C/],
  },
};

const INNER = `${field('B')}<script>document.oninput = ({ target }) => parent.postMessage(target.value, '*');</script>`;

const TELLS = `<button id=tell>Tell</button><p id=shown></p><script>
  const all = () => [...document.querySelectorAll('input[name],select[name]')];
  const valueOf = (el) => el.type === 'checkbox' ? (el.checked ? 'on' : '') : el.value;
  tell.onclick = () => { shown.textContent = 'HELD' + JSON.stringify(Object.fromEntries(all().map((el) => [el.name, valueOf(el)]))) + 'END'; };
</script>`;

const boxes = (draw: (name: string, isOn: boolean) => string): string =>
  ['Ham', 'Olives', 'Capers'].map((name) => draw(name, name === 'Capers')).join(' ');
/** A group of check boxes is one field: it takes the given values. */
const GROUPS: Readonly<Record<string, string>> = {
  boxes: `<fieldset><legend>Toppings</legend>${boxes((name, isOn) => `<label><input type=checkbox ${isOn ? 'checked' : ''}>${name}</label>`)}</fieldset>`,
  roles: `<div role=group aria-label=Toppings>${boxes((name, isOn) => `<span role=checkbox tabindex=0 aria-checked=${isOn} onclick="this.ariaChecked = this.ariaChecked !== 'true'">${name}</span>`)}</div>`,
};

const rig = actingRig((name) => {
  if (name === 'inner') return INNER;
  const one = CASES[name] ?? ENDS[name];
  return one === undefined ? (GROUPS[name] ?? null) : `<title>x</title>${one.page}${TELLS}`;
});

it.for(Object.keys(GROUPS))('a group of check boxes: %s', async (page, { expect }) => {
  const tab = await rig.open(page);
  for (const values of [['Ham', 'Olives'], ['Olives'], []]) {
    const answer = await rig.server.call('interact', { tab, fields: { Toppings: values }, show: 'snapshot' });
    expect(answer.isError, answer.text).toBe(false);
    // The last pressed one has the focus, and is then not checked.
    expect(answer.text.match(/(?<=checkbox \[checked\] )\w+/g) ?? []).toEqual(values);
  }
  await rig.close(tab);
});

it.for(sample(Object.entries(CASES), 4))('%s', async ([name, { fields, holds }], { expect }) => {
  const tab = await rig.open(name);
  const answer = await rig.server.call('interact', { tab, fields, steps: ['click css=#tell'] });
  expect(answer.isError, answer.text).toBe(false);
  const holding = /HELD(.*)END/.exec(await rig.text(tab))?.[1] ?? '{}';
  expect(JSON.parse(holding)).toMatchObject(holds);
  await rig.close(tab);
});

it.for(Object.entries(ENDS))(
  'a receipt has a run of text fields as far as it came: %s',
  async ([name, { told }], { expect }) => {
    const tab = await rig.open(name);
    const fields = { A: 'one', B: '22', C: 'three' };
    const { text } = await rig.server.call('interact', { tab, fields, steps: [] });
    for (const line of told) expect(text).toMatch(line);
    await rig.server.call('dialog', { tab, action: 'accept' });
    await rig.close(tab);
  },
);
