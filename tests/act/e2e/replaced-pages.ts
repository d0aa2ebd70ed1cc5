import { widgetPage } from './widget-page.ts';

const OPTIONS = (names: readonly string[]): string => names.map((name) => `<p>${name}</p>`).join('');
/** A text field, and the list below it while it has the focus: it keeps any text, and counts what is chosen. */
const OFFERED = (name: string, attributes: string, names: readonly string[]): string =>
  `<div><label>${name} <input ${attributes}></label></div><section data-name=${name} hidden style="position:absolute;background:white;width:200px">${OPTIONS(names)}</section><br>`;

/** Fields that hide another control of theirs, or count less than they show. */
export const REPLACED_PAGES: Readonly<Record<string, string>> = {
  /** Labels of hidden controls: next to them are tags of one line, a list without a role, and boxes of a code. */
  replaced: widgetPage(
    `<style>.away{position:absolute;left:-9999px;width:0;border:0;padding:0}#boxes input{width:20px;height:30px}</style>
    <label for=a>Labels</label><p><span contenteditable role=textbox aria-multiline=false aria-autocomplete=both aria-label="New one" style="display:inline-block;width:100px;height:20px"></span></p><input id=a class=away tabindex=-1>
    <label for=b>Land</label><select id=b style="display:none"><option>Choose<option>Oman<option>Peru</select><div id=land><a style="display:block;width:150px;height:24px">Choose</a><input readonly style="position:absolute;clip:rect(0,0,0,0)"><ul hidden></ul></div>
    <label for=c>Door code</label><input id=c aria-hidden=true tabindex=-1 style="position:absolute;width:1px;height:1px;clip-path:inset(50%)" onfocus="$('#boxes input').focus()"><p id=boxes role=group>${'<input>'.repeat(4)}</p>
    <p role=combobox aria-haspopup=listbox aria-controls=flat aria-label=Flat tabindex=0 style="width:30px;height:5px;margin:0 0 90px"></p><ul role=listbox id=flat hidden><li role=option>Low<li role=option>High</ul>
    <label for=d>Terms</label><input id=d class=away tabindex=-1><p><textarea aria-label=One></textarea><textarea aria-label=Two></textarea></p>`,
    `const made = [], list = $('#land ul'), flat = $('[role=combobox]');
    $('span').onkeydown = (event) => { if (event.key !== 'Enter') return; event.preventDefault(); made.push($('span').textContent); $('span').insertAdjacentHTML('beforebegin', '<b>' + $('span').textContent + '</b> '); $('span').textContent = ''; report('Labels', made.join()); };
    $('#land').onmousedown = ({ target }) => {
      if (target.matches('li')) report('Land', $('a').textContent = target.textContent);
      list.hidden = target.matches('li');
      list.innerHTML = list.hidden ? '' : '<li>Oman<li>Peru';
    };
    $('#boxes').oninput = ({ target }) => {
      const boxes = [...$('#boxes').children], chars = [...target.value];
      if (target === boxes[0]) boxes.forEach((box, at) => { box.value = chars[at] ?? ''; });
      report('Door code', boxes.map(({ value }) => value).join(''));
    };
    flat.onclick = () => { $('#flat').hidden = false; };
    $('#flat').onclick = ({ target }) => { $('#flat').hidden = true; report('Flat', flat.ariaLabel = target.textContent); };`,
  ),
  /** The last field is a search, whose text counts. */
  offered: widgetPage(
    `${OFFERED('Shape', '', ['Round', 'Square'])}${OFFERED('Port', 'type=select-one autocomplete=new-password', ['Genoa', 'Lagos'])}${OFFERED('Find', 'type=search', ['Round'])}
    <label>On <input id=on></label><i></i><label>Note <input></label>`,
    `for (const list of document.querySelectorAll('section')) {
      const input = list.previousElementSibling.querySelector('input');
      input.onfocus = () => { list.hidden = false; };
      input.onblur = () => { list.hidden = true; };
      list.onmousedown = (event) => { event.preventDefault(); list.hidden = true; report(list.dataset.name, input.value = event.target.textContent); };
      if (input.type === 'search') input.oninput = () => report('Find', input.value);
    }
    const on = $('#on'), days = $('i');
    on.onfocus = () => { days.innerHTML = '<table style="position:absolute">' + Array.from({ length: 9 }, (_, n) => '<td>' + (n + 1)).join('') + '</table>'; };
    on.onblur = () => { days.innerHTML = ''; };
    on.onkeydown = ({ key }) => { if (key === 'Enter') report('On', on.value); };`,
  ),
  /** A field that hears only keys, and one whose own name is not its label. */
  heard: widgetPage(
    '<input id=day aria-label=Day><p><label for=land>Land</label></p><p><input aria-label=Other> <input id=land aria-label=Search></p>',
    `$('#day').onkeyup = ({ target }) => report('Day', target.value);
    $('#land').oninput = ({ target }) => report('Land', target.value);`,
  ),
  /** A list of which a button takes what is chosen, and Escape does not. */
  unconfirmed: widgetPage(
    '<span id=l>Many</span><button id=b aria-haspopup=listbox aria-labelledby=l></button><div role=dialog style="position:absolute" hidden><ul role=listbox aria-multiselectable=true><li role=option aria-selected=false>Red<li role=option aria-selected=false>Blue</ul><button>OK</button></div>',
    `const layer = $('div');
    $('#b').onclick = () => { layer.hidden = false; };
    $('ul').onclick = ({ target }) => { target.ariaSelected = target.ariaSelected === 'false'; };
    onkeydown = ({ key }) => { if (key === 'Escape') layer.hidden = true; };`,
  ),
  /** Tags: a list that marks its first option as selected once it opens, and says that it has none for others. */
  marking: widgetPage(
    '<p><label for=t>Tags</label> <b>Choose</b><input id=t role=combobox aria-controls=m></p><ul id=m role=listbox hidden></ul><p><label for=k>Words</label> <b></b><input id=k role=combobox aria-controls=n></p><ul id=n role=listbox hidden><li>No results</ul>',
    `const made = { Tags: [], Words: [] }, list = $('#m'), [tags, words] = document.querySelectorAll('input');
    const add = (name, input, text) => { made[name].push(text); input.value = ''; input.previousElementSibling.innerHTML = made[name].map((each) => '<i>' + each + '</i> ').join(''); report(name, made[name].join()); };
    tags.onclick = tags.oninput = () => {
      list.innerHTML = ['Red', 'Blue'].filter((each) => !made.Tags.includes(each) && each.includes(tags.value)).map((each, at) => '<li role=option aria-selected=' + (at === 0) + '>' + each).join('');
      list.hidden = false;
    };
    list.onclick = ({ target }) => { list.hidden = true; add('Tags', tags, target.textContent); };
    words.oninput = () => { $('#n').hidden = words.value === ''; };
    words.onkeydown = ({ key }) => { if (key === 'Enter') { $('#n').hidden = true; add('Words', words, words.value); } };`,
  ),
  /** A calendar that repeats the text of its field, and takes it at Enter. */
  range: widgetPage(
    '<label>Stay <input></label><div style="position:absolute" hidden></div>',
    `const input = $('input'), layer = $('div');
    input.onfocus = input.oninput = () => { layer.innerHTML = '<b>' + input.value + '</b><table>' + Array.from({ length: 9 }, (_, n) => '<td>' + (n + 1)).join('') + '</table>'; layer.hidden = false; };
    input.onkeydown = ({ key }) => { if (key === 'Enter') { layer.hidden = true; report('Stay', input.value); } };`,
  ),
  /** A slider, and a field of the same name for its number. */
  paired: widgetPage(
    '<p id=s role=slider tabindex=0 aria-label=Price aria-valuemin=0 aria-valuemax=900 aria-valuenow=20>Price</p><input type=number aria-label=Price value=20>',
    `$('input').oninput = ({ target }) => report('Price', $('#s').ariaValueNow = target.value);`,
  ),
  /** A list above the top of the page until fewer of it are offered. */
  above: widgetPage(
    '<label for=c>City</label> <input id=c role=combobox aria-controls=l><ul id=l role=listbox style="position:absolute;margin:0;height:120px;overflow:auto" hidden></ul>',
    `const input = $('input'), list = $('ul');
    const draw = () => {
      const fitting = CITIES.filter((city) => city.includes(input.value));
      list.innerHTML = fitting.map((city) => '<li role=option>' + city).join('');
      list.style.top = fitting.length > 1 ? '-300px' : '60px';
      list.hidden = false;
    };
    input.onclick = input.oninput = draw;
    list.onclick = ({ target }) => { list.hidden = true; report('City', input.value = target.textContent); };`,
  ),
};
