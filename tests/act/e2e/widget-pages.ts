import { EDITOR_PAGES } from './editor-pages.ts';
import { REPLACED_PAGES } from './replaced-pages.ts';
import { widgetPage } from './widget-page.ts';

/** A combobox that forgets text that was typed but not chosen, as most do. */
const COMBOBOX = (multiple: boolean): string =>
  widgetPage(
    '<label for=city>City</label> <span id=chips></span><input id=city role=combobox aria-controls=list aria-expanded=false><ul id=list role=listbox hidden></ul><p><button>Next</button>',
    `const input = $('#city'), list = $('#list'), chosen = [];
    const draw = () => {
      const fitting = CITIES.filter((city) => city.toLowerCase().includes(input.value.toLowerCase()) && !chosen.includes(city));
      list.innerHTML = fitting.map((city) => '<li role=option>' + city).join('') || '<li>No results';
    };
    const open = (is) => { list.hidden = !is; input.setAttribute('aria-expanded', is); if (is) draw(); };
    input.onclick = () => open(true);
    input.oninput = () => setTimeout(() => open(true), 60);
    input.onblur = () => { open(false); input.value = ${multiple ? "''" : "chosen.at(-1) ?? ''"}; };
    list.onmousedown = (event) => {
      event.preventDefault();
      if (event.target.getAttribute('role') !== 'option') return;
      chosen.push(event.target.textContent);
      ${multiple ? "input.value = ''; $('#chips').textContent = chosen.join(' ')" : 'input.value = chosen.at(-1)'};
      open(false);
      report('City', ${multiple ? 'chosen.join()' : 'chosen.at(-1)'});
    };`,
  );

/** Options that are divs, drawn in part, the middle first, in a layer next to a list of no size for screen readers. */
const ROWS = widgetPage(
  '<span>City</span><div><span id=shown>Choose a city</span><div id=box role=combobox tabindex=0 aria-haspopup=listbox aria-controls=aria style="width:200px;height:30px;border:1px solid"></div></div>',
  `const all = Array.from({ length: 120 }, (_, n) => 'Town ' + n);
  $('#box').onclick = () => setTimeout(() => {
    document.body.insertAdjacentHTML('beforeend', '<div id=layer style="position:absolute;left:0;top:100px;width:200px;background:white"><div role=listbox id=aria style="height:0;overflow:hidden"><div role=option>Town 0</div></div><div id=view style="height:120px;overflow:auto"><div style="height:3600px;position:relative"></div></div></div>');
    const view = $('#view'), inner = view.firstChild;
    const draw = () => {
      const first = Math.floor(view.scrollTop / 30);
      inner.innerHTML = all.slice(first, first + 5).map((town, n) => '<div style="position:absolute;height:30px;top:' + (first + n) * 30 + 'px">' + town + '</div>').join('');
    };
    view.onscroll = draw;
    view.scrollTop = 1800;
    draw();
    view.onclick = (event) => { $('#shown').textContent = event.target.textContent; report('City', event.target.textContent); $('#layer').remove(); };
  }, 150);`,
);

/** A list of towns in a dialog, and what else happens. */
const TOWNS = (more: string): string =>
  widgetPage(
    '<span>City</span><div id=box role=combobox tabindex=0 aria-haspopup=listbox aria-controls=list style="width:200px;height:30px">Choose</div><ul id=list role=listbox hidden style="height:120px;overflow:auto"></ul>',
    `const list = $('#list'), shut = () => { list.hidden = true; };
    const draw = (from) => { for (let n = from; n < from + 20; n += 1) list.insertAdjacentHTML('beforeend', '<li role=option style="height:30px">Town ' + n); };
    const show = ({ target }) => { $('#box').textContent = target.textContent; report('City', target.textContent); };
    draw(0);
    onkeydown = ({ key }) => { if (key === 'Escape') report('closed', 'dialog'); };
    $('#box').onclick = () => { list.hidden = false; };
    list.onclick = (event) => { show(event); shut(); };
    ${more}`,
  );

/** Chips, what removes them, and a list that omits chosen options, with a hint at the first one. */
const CHIPS = (chip: string, removing: string): string =>
  widgetPage(
    '<style>li:first-child::after{content:"Press Enter";position:absolute}</style><label for=tags>Tags</label><div style="width:400px"><span id=chips></span><input id=tags role=combobox aria-controls=list></div><ul id=list role=listbox hidden></ul>',
    `let chosen = ['Aachen', 'Ulm, BW'];
    const input = $('#tags'), list = $('#list');
    const draw = () => {
      $('#chips').innerHTML = chosen.map((city) => ${chip}).join('');
      list.innerHTML = CITIES.filter((city) => !chosen.includes(city) && city.toLowerCase().includes(input.value.toLowerCase())).map((city) => '<li role=option>' + city).join('');
      report('Tags', chosen.join());
    };
    const add = (city) => { chosen.push(city); input.value = ''; list.hidden = true; draw(); };
    input.onclick = () => { list.hidden = false; };
    input.oninput = draw;
    list.onclick = ({ target }) => add(target.textContent);
    ${removing}
    draw();`,
  );

/** A button with a list in which a second press takes the choice back, and a search that offers more. */
const BUTTON = (isMarked: boolean): string =>
  widgetPage(
    '<span id=l>Plan</span><button id=b aria-haspopup=listbox aria-labelledby="l b">Free</button><div style="position:absolute;top:60px" hidden><input type=search aria-label=Find><ul role=listbox><li role=option>Free<li role=option>Team</ul></div>',
    `const button = $('#b'), list = $('ul'), popup = $('div');
    $('input').oninput = async ({ target: { value } }) => { await fetch('/later?ms=300'); list.innerHTML = value === 'Trial' ? '<li role=option>Trial' : 'Nothing found'; };
    const show = () => { popup.hidden = false; for (const each of list.children) each.ariaSelected = ${isMarked} && each.textContent === button.textContent; };
    button.onclick = () => setTimeout(show, 150);
    list.onclick = ({ target: { textContent } }) => { popup.hidden = true; report('Plan', button.textContent = button.textContent === textContent ? 'None' : textContent); };`,
  );

/** An editor that draws its text, indents and completes: its text area, and how that gives the text away. */
const DRAWN = (areas: string, gives: string): string =>
  widgetPage(
    `<div id=e style="width:300px;height:100px;border:1px solid;position:relative">${areas}<pre></pre></div>`,
    `let text = 'if (a) {\\n  b();\\n}', from = text.length, to = from;
    const area = $('textarea:not([hidden])');
    const put = (added, caret = added.length) => { text = text.slice(0, from) + added + text.slice(to); from = to = from + caret; show(); };
    const show = () => { $('pre').textContent = text; report('Code', JSON.stringify(text)); };
    const indent = () => /(^|\\n)( *)[^\\n]*$/.exec(text.slice(0, from))[2];
    area.onkeydown = (event) => {
      if (event.ctrlKey && event.key === 'a') [from, to] = [0, text.length];
      else if (event.ctrlKey && event.key === 'End') from = to = text.length;
      else if (event.key === 'Delete') put('');
      else if (event.key === 'Enter') put('\\n' + indent());
      else return;
      event.preventDefault();
    };
    area.oninput = () => { const typed = area.value; area.value = ''; for (const char of typed) put(char === '(' ? '()' : char === '\\n' ? '\\n' + indent() : char, char === '(' ? 1 : undefined); };
    area.onpaste = (event) => { event.preventDefault(); put(event.clipboardData.getData('text/plain')); };
    ${gives}
    show();`,
  );

const PARTS = (name: string, most: readonly number[]): string =>
  `<div role=group aria-label=${name}>${most.map((each) => `<span role=spinbutton tabindex=0 aria-label="part, ${name}" aria-valuemin=1 aria-valuemax=${each}>--</span>`).join('/')}</div>`;

/** A button that opens a menu, by what it does when it is clicked. */
const MENU = (opens: string, more = ''): string =>
  widgetPage(
    '<button aria-haspopup=menu aria-expanded=false>More</button>',
    `let clicks = 0;
    const declare = (is) => $('button').setAttribute('aria-expanded', is);
    const show = () => document.body.insertAdjacentHTML('beforeend', '<div role=menu><div role=menuitem tabindex=-1>Archive</div></div>');
    $('button').onclick = () => { ${opens} };
    ${more}`,
  );

export const PAGES: Readonly<Record<string, string>> = {
  ...EDITOR_PAGES,
  ...REPLACED_PAGES,
  /** A select that a library draws without a role, in a row like that of a text field. */
  drawnRows: widgetPage(
    '<form><div class=row><label>Plan</label><div><div tabindex=0>Choose</div></div></div><div class=row><label>Team</label><div><input></div></div></form>',
    `$('input').oninput = ({ target }) => report('Team', target.value);`,
  ),
  combobox: COMBOBOX(false),
  several: COMBOBOX(true),
  rows: ROWS,
  parted: TOWNS(
    `list.onscroll = async () => { if (list.scrollTop + list.clientHeight < list.scrollHeight - 2) return; list.onscroll = null; await fetch('/later?ms=400'); draw(20); };`,
  ),
  slowly: TOWNS(
    `const slow = (frames) => requestAnimationFrame(() => { for (const from = performance.now(); performance.now() < from + 120;); if (frames > 0) slow(frames - 1); else shut(); });
    list.onclick = (event) => { show(event); slow(4); };`,
  ),
  saved: TOWNS("list.onclick = async (event) => { await fetch('/later?ms=1500'); show(event); shut(); };"),
  button: BUTTON(false),
  marked: BUTTON(true),
  chips: CHIPS(
    "'<span class=chip><span class=text>' + city + '</span><button>x</button></span>'",
    "$('#chips').onclick = ({ target }) => { chosen = chosen.filter((city) => city !== target.previousSibling?.textContent); draw(); };",
  ),
  /** Chips that keys remove once they are pressed; Enter turns any text into one. */
  keyed: CHIPS(
    `'<span class=chip style="padding:2px 6px">' + city + '</span>'`,
    `let active = null;
    $('#chips').onmousedown = (event) => { event.preventDefault(); active = event.target.textContent; };
    input.onkeydown = ({ key }) => {
      if (key === 'Enter' && input.value !== '') add(input.value);
      if (key === 'Delete' && active !== null) { chosen = chosen.filter((city) => city !== active); active = null; draw(); }
    };`,
  ),
  /** A field of a form, where Enter sends the form and makes no chip. */
  form: widgetPage(
    '<form><label for=tags>Tags</label> <input id=tags role=combobox aria-controls=list><ul id=list role=listbox hidden></ul><button>Send</button></form>',
    `$('form').onsubmit = (event) => { event.preventDefault(); report('sent', 'yes'); };`,
  ),
  /** Stars that all lie below the first until the pointer is over them. */
  stars: widgetPage(
    `<fieldset id=f style="position:relative;height:40px;border:0"><legend>Score</legend>${[1, 2].map((n) => `<input type=radio name=r value=${n} id=r${n} aria-label="${n} stars" style="position:absolute;opacity:0;width:1px;height:1px"><label for=r${n} style="position:absolute;left:20px;top:20px;width:30px;height:20px;z-index:${2 - n}">${n}</label>`).join('')}</fieldset>`,
    `$('#f').onmousemove = () => setTimeout(() => { $('[for=r2]').style.zIndex = 5; }, 30);
    document.addEventListener('change', (event) => report('Score', event.target.value));`,
  ),
  search: widgetPage(
    '<input type=search role=combobox aria-autocomplete=list aria-label=Search aria-controls=tips><ul id=tips role=listbox hidden></ul>',
    `$('input').oninput = ({ target: { value } }) => {
      report('Search', value);
      $('#tips').hidden = false;
      $('#tips').innerHTML = ['today', 'tomorrow'].map((day) => '<li role=option>' + value.replace('wether', 'weather') + ' ' + day).join('');
    };`,
  ),
  clock: widgetPage(
    `<input aria-label=Alarm><input aria-label=Place oninput="ariaExpanded = true; $('ul').hidden = false; $('ul').style.pointerEvents = 'auto'"><ul style="position:absolute;margin:0;width:200px;height:90px;pointer-events:none" hidden><li>07<li>08</ul>`,
    `$('input').addEventListener('input', () => {
      $('ul').hidden = false;
      document.body.append(document.createElement('i'));
      $('ul').animate({ opacity: [0, 1] }, 200);
      setTimeout(() => { $('ul').style.pointerEvents = 'auto'; }, 240);
    }, { once: true });`,
  ),
  radios: widgetPage(
    '<div><div>Size</div><div role=radiogroup><div role=radio aria-checked=false tabindex=0>Small</div><div role=radio aria-checked=false tabindex=0>Large</div></div></div>' +
      `<div><div>Score</div><div>${[1, 2, 3].map((n) => `<label><input type=radio name=r value=${n}>${n} stars</label>`).join('')}</div></div>`,
    `for (const radio of document.querySelectorAll('[role=radio]')) radio.onclick = () => { radio.setAttribute('aria-checked', true); report('Size', radio.textContent); };
    document.addEventListener('change', (event) => report('Score', event.target.value));`,
  ),
  slider: widgetPage(
    '<div id=s role=slider tabindex=0 aria-label=Volume aria-valuemin=0 aria-valuemax=500 aria-valuenow=20 style="width:200px;height:20px;background:silver"></div><input type=range aria-label=Speed value=0><p dir=rtl role=slider tabindex=0 aria-label=Level aria-valuenow=0>Level',
    `let now = 20, stops = [26, ...Array.from({ length: 101 }, (_, n) => n * 5)].sort((a, b) => a - b);
    const move = (to = now) => { now = to; $('#s').ariaValueNow = now; report('Volume', now); };
    $('#s').onmousedown = () => move(250);
    $('#s').onkeydown = ({ key }) => move(stops[stops.indexOf(now) + (key === 'ArrowRight') - (key === 'ArrowLeft')]);
    const marks = [0, 20, 37, 100], words = ['Low', 'Middle', 'High'];
    let mark = 0, level = 0;
    $('input').oninput = ({ target }) => { mark += Math.sign(target.value - marks[mark]); report('Speed', target.value = marks[mark]); };
    $('p').onkeydown = ({ key, target }) => {
      level = key === 'Home' ? 0 : Math.max(0, Math.min(2, level + (key === 'ArrowLeft') - (key === 'ArrowRight')));
      report('Level', target.ariaValueText = words[target.ariaValueNow = level]);
    };`,
  ),
  number: widgetPage(
    '<input id=n inputmode=numeric aria-label=Amount value=5><button aria-controls=n>+</button><input role=spinbutton aria-label=Guests aria-valuemin=1 aria-valuemax=8 value=2>',
    `const [amount, guests] = document.querySelectorAll('input');
    amount.onblur = () => { amount.value = Math.min(50, amount.value); report('Amount', amount.value); };
    guests.oninput = () => report('Guests', guests.value);`,
  ),
  leaving: widgetPage(
    '<form><input aria-label=Day><input aria-label=Team><button>Send</button></form><input aria-label=From onblur="value=&quot;&quot;"><input aria-label=Name><input aria-label=To onblur="value=&quot;&quot;"><p><input aria-label=Tag onblur="value=&quot;&quot;">',
    `const [day, team] = document.querySelectorAll('input');
    day.onkeydown = ({ key }) => { if (key === 'Enter') report('Day', day.defaultValue = day.value); };
    day.onblur = () => { day.value = day.defaultValue; };
    $('p').onkeydown = ({ target, key }) => { if (key === 'Enter') target.insertAdjacentHTML('afterend', '<b>' + target.value), report('Tag', target.value), target.value = ''; };
    team.oninput = () => $('form').insertAdjacentHTML('beforeend', '<ul><li>Red</ul>');
    team.onblur = () => setTimeout(() => { $('ul')?.remove(); team.value = ''; }, 100);
    $('form').onsubmit = () => report('sent', 'yes');`,
  ),
  /** Choices that browsers draw outside of the page, and an open menu. */
  native: widgetPage(
    '<input aria-label=Town list=t><datalist id=t><option value=k label=Cologne></datalist><select aria-label=Country><option>Spain<option>France</select><ul role=menu><li role=menuitem>Open<li role=menuitem>Move<li role=menuitem>Archive</ul>',
    `document.onchange = ({ target }) => report(target.ariaLabel, target.value);
    $('ul').onclick = ({ target }) => { $('ul').hidden = true; report('Menu', target.textContent); };`,
  ),
  /** A chat, which shows a paste in its own form and sends its text at Enter. */
  chat: widgetPage(
    '<div role=textbox contenteditable aria-label=Note></div><textarea aria-label=Post maxlength=5></textarea>',
    `const box = $('div'), area = $('textarea');
    let sent = '';
    const show = () => report(sent + 'Text', JSON.stringify(box.innerText + area.value));
    document.oninput = show;
    document.onkeydown = ({ key, shiftKey }) => { if (key === 'Enter' && !shiftKey) { sent = 'Sent'; show(); } };
    box.onpaste = (event) => { event.preventDefault(); box.textContent = event.clipboardData.getData('text/plain').replace('*', '•'); };`,
  ),
  /** Fields that format what they take, divide it, or have marks before their labels. */
  formatted: widgetPage(
    `<style>label::before{content:'* '}</style><label>Name：<input></label><label>Full name：<input></label>
    <input aria-label=Card autocomplete=cc-number><input aria-label=Masked autocomplete=cc-number inputmode=numeric><input aria-label=Reverted autocomplete=cc-number value=4111>
    <input aria-label=Phone value="(555) 010-0000"><input type=email aria-label=Email value=a@x>
    <p><input aria-label=Code autocomplete=one-time-code maxlength=1><input maxlength=1><input maxlength=1><div><input aria-label=Pin><input><input></div>`,
    `const of = (name) => $('[aria-label=' + name + ']');
    document.oninput = ({ target }) => report(target.ariaLabel ?? target.parentNode.textContent.slice(0, -1), target.value);
    of('Card').oninput = ({ target }) => { target.value = target.value.replace(/\\D/g, '').replace(/(\\d{4})(?=.)/g, '$1 '); };
    of('Masked').onblur = ({ target }) => { target.value = '•••• ' + target.value.slice(-4); };
    of('Reverted').onblur = ({ target }) => { target.value = '4111'; };
    of('Pin').oninput = ({ target }) => { for (const [at, char] of [...target.value].entries()) $('div').children[at].value = char; };
    of('Phone').onblur = ({ target }) => { report('Phone', target.value = '(555) 010-0000'); };
    $('p').oninput = (event) => { event.stopPropagation(); event.target.nextElementSibling?.focus(); report('Code', [...$('p').children].map(({ value }) => value).join('')); };`,
  ),
  /** Boxes that are partly on, answer late or are replaced; a list with its choice outside of its text; a placeholder. */
  states: widgetPage(
    '<div><span>France</span><input role=combobox aria-label=Country></div><div role=textbox contenteditable aria-label=Draft onbeforeinput="event.preventDefault()"><span aria-hidden=true contenteditable=false>Write here</span></div><button role=switch aria-checked=false aria-label=Alerts>Alerts</button><input type=checkbox aria-label=All><button role=checkbox aria-checked=mixed aria-label=Rows>Rows</button><p role=checkbox aria-checked=false aria-label=Moved>Moved',
    `const [alerts, rows] = document.querySelectorAll('button'), all = $('[type=checkbox]');
    alerts.onclick = async () => { await fetch('/later?ms=400'); alerts.ariaChecked = true; report('Alerts', true); };
    all.indeterminate = true;
    $('p').onclick = ({ target }) => target.replaceWith(target.cloneNode(true));
    all.onchange = () => report('All', all.checked);
    rows.onclick = () => { rows.ariaChecked = rows.ariaChecked !== 'true'; report('Rows', rows.ariaChecked); };`,
  ),
  /** Lists that load, or fill a moment later, once something is chosen in the one before. */
  regions: widgetPage(
    '<label>Country <select id=c><option>-<option>France</select></label><label>Region <select id=r></select></label><label>City <select id=t></select></label>',
    `$('#c').onchange = async () => { await fetch('/later?ms=300'); $('#r').innerHTML = '<option>-<option>Bretagne'; };
    $('#r').onchange = () => setTimeout(() => { $('#t').innerHTML = '<option>Brest<option>Quimper'; }, 300);`,
  ),
  parts: widgetPage(
    PARTS('Start', [12, 31, 9999]) + PARTS('Stay', [12, 31, 9999, 12, 31, 9999]),
    `for (const part of document.querySelectorAll('span')) part.onkeydown = ({ key }) => {
      part.ariaValueNow = (part.ariaValueNow ?? '') * 10 + Number(key);
      report(part.parentNode.ariaLabel, [...part.parentNode.children].map((each) => each.ariaValueNow).join());
    };`,
  ),
  pressed: widgetPage(
    '<span>Styles</span><div><button aria-pressed=true>Bold</button><button aria-pressed=false>Italic</button></div>',
    `document.onclick = ({ target }) => { target.ariaPressed = target.ariaPressed === 'false'; report('Styles', [...document.querySelectorAll('[aria-pressed=true]')].map((each) => each.textContent).join()); };`,
  ),
  /** Selects drawn in shadow trees. The second one forgets what is chosen unless a button confirms it. */
  confirmed: widgetPage(
    '<div><x-s id=Fill>Blue</x-s><x-s id=Colour>Red</x-s></div><ul role=listbox hidden><li role=option>Red<li role=option>Blue</ul>',
    `const list = $('ul'), mark = (target) => { for (const each of list.children) each.ariaSelected = each === target; };
    const show = (box) => { list.hidden = false; list.onclick = ({ target }) => { mark(target); if (box.id === 'Fill') { list.hidden = true; report('Fill', box.textContent = target.textContent); } }; };
    for (const each of document.querySelectorAll('x-s')) { each.onclick = () => show(each); each.attachShadow({ mode: 'open' }).innerHTML = '<label>' + each.id + ' <slot></slot><button aria-haspopup=dialog aria-label=' + each.id + '>v</button></label>'; }
    onkeydown = ({ key }) => { if (key === 'Escape') list.hidden = true; };`,
  ),
  /** A list in which a press takes the other values back. */
  files: widgetPage(
    '<ul role=listbox aria-multiselectable=true aria-label=Files><li role=option>a<li role=option>b</ul>',
    "$('ul').onclick = ({ target }) => { for (const each of $('ul').children) each.ariaSelected = each === target; };",
  ),
  drawn: DRAWN(
    '<textarea aria-label=Code style="position:absolute;width:1px;height:1px;opacity:0.01"></textarea>',
    "area.oncopy = (event) => { event.preventDefault(); event.clipboardData.setData('text/plain', text.slice(from, to)); };",
  ),
  /** Its text area is cut off, and takes what is selected; the one with the label is hidden. */
  cut: DRAWN(
    '<label for=c>Code</label><textarea id=c hidden></textarea><div style="position:relative;width:3px;height:0;overflow:hidden"><textarea style="position:absolute;width:400px"></textarea></div>',
    'onkeyup = area.onfocus = () => { area.value = text.slice(from, to); area.select(); };',
  ),
  /** An editor in a frame, which takes a paste a moment later, and makes lists of what is typed. */
  deferred: widgetPage(
    '<label for=n>Note</label><textarea id=n hidden></textarea><iframe></iframe>',
    `const box = Object.assign($('iframe').contentDocument.body, { contentEditable: true, ariaLabel: 'Editor', textContent: 'One' }), put = (text) => { box.innerText = text; report('Note', JSON.stringify(text)); };
    box.onpaste = ({ clipboardData: data }) => { setTimeout(put, 0, data.getData('text')); box.append(document.createElement('i')); };
    box.oninput = () => { box.textContent = box.textContent.replace(/\\d\\. /g, ''); };`,
  ),
  /** Labels of what pages draw: an editor below its tools, a custom element, and a list box with a search field. */
  labels: widgetPage(
    '<label for=body>Body</label><textarea id=body hidden></textarea><div><input aria-label=Size><div id=text contenteditable>One</div></div><label><x-box></x-box> Terms</label><div id=city role=listbox aria-label=City tabindex=0><input role=searchbox aria-label=City><p>Choose</p><p role=option hidden>Rome</p></div>',
    `customElements.define('x-box', class extends HTMLElement { static formAssociated = true; constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<input type=checkbox>'; this.shadowRoot.firstChild.onchange = ({ target }) => report('Terms', target.checked); } });
    $('#text').oninput = () => report('Body', $('#text').innerText);
    $('#city').onclick = ({ target }) => { const [shown, option] = $('#city').querySelectorAll('p'); if (target === option) { shown.textContent = option.textContent; report('City', option.textContent); } option.hidden = target === option; };`,
  ),
  /** Controls that draw a moment later what keys and text have done. */
  delayed: widgetPage(
    '<p role=slider tabindex=0 aria-label=Depth aria-valuemin=0 aria-valuemax=40 aria-valuenow=4 aria-valuetext=4m>Depth</p><input aria-label=Find><ul role=listbox></ul><div><input aria-label=Digits maxlength=1><input maxlength=1><input maxlength=1></div>',
    `const slider = $('p'), find = $('input'), all = ['Albania', 'Germany', 'Norway'];
    let depth = 4, shown = all, timer;
    slider.onkeydown = ({ key }) => {
      depth = Math.max(0, Math.min(40, key === 'Home' ? 0 : depth + (key === 'ArrowRight') - (key === 'ArrowLeft')));
      report('Depth', depth);
      setTimeout(() => { slider.ariaValueNow = depth; slider.ariaValueText = depth + 'm'; }, 80);
    };
    const draw = () => { $('ul').innerHTML = shown.map((name) => '<li role=option>' + name).join(''); };
    find.oninput = () => { clearTimeout(timer); timer = setTimeout(() => { shown = all.filter((name) => name.toLowerCase().includes(find.value)); draw(); }, 120); };
    find.onkeydown = ({ key }) => { if (key === 'Enter') report('Find', shown[0]); };
    $('div').oninput = ({ target }) => { requestAnimationFrame(() => target.nextElementSibling?.focus()); report('Digits', [...$('div').children].map(({ value }) => value).join('')); };
    draw();`,
  ),
  /** Chosen values that are options before their field, a field that makes some of any text, and one that suggests. */
  tags: widgetPage(
    '<label for=p>People</label><div><div role=listbox id=g></div><input id=p role=combobox aria-controls=l></div><ul role=listbox id=l hidden><li role=option>Grace<li role=option>Alan</ul><form><label for=k>Keywords</label><div><input id=k></div></form><label>Town <input id=t></label><section style="position:absolute"></section><p><span><b>Al</b>an Turing</span></p>',
    `const list = $('#l'), chosen = [], made = [];
    $('#p').onclick = $('#p').oninput = () => { list.hidden = false; };
    list.onclick = ({ target }) => { chosen.push(target.textContent); $('#g').insertAdjacentHTML('beforeend', '<button role=option>' + target.textContent + '</button>'); target.remove(); list.hidden = true; $('#p').value = ''; report('People', chosen.join()); };
    $('#k').onkeydown = ({ key, target }) => { if (key === 'Enter') { made.push(target.value); target.insertAdjacentHTML('beforebegin', '<span>' + target.value + '</span>'); target.value = ''; report('Keywords', made.join()); } };
    $('#t').oninput = ({ target }) => setTimeout(() => { $('section').innerHTML = ['Bergen', 'Berlin'].filter((town) => town.startsWith(target.value)).map((town) => '<p>' + town + '</p>').join(''); }, 100);
    $('section').onclick = ({ target }) => { report('Town', $('#t').value = target.textContent); $('section').innerHTML = ''; };
    $('p').onclick = () => report('Mention', 'Alan');`,
  ),
  /** A list, a switch and a drop that say nothing of themselves, and a calendar inside its label. */
  silent: widgetPage(
    `<div class=row><label>Nick</label><input></div><div class="row a">Volume<i></i></div><div class="row b"><span>Alerts</span><b role=switch aria-checked=false tabindex=0>o</b></div>
    <p>Team</p><div id=t tabindex=0>Choose</div><label style="display:block;margin-top:80px">Day <input id=d><em style="position:absolute"></em></label><p id=a>Iron</p><p id=b>Lead</p>`,
    `const days = $('em'), iron = $('#a');
    document.onchange = ({ target }) => { if (target.id !== 'd') report('Nick', target.value); };
    $('[role=switch]').onclick = () => report('Alerts', true);
    $('#t').onclick = () => document.body.insertAdjacentHTML('beforeend', '<ul style="position:absolute;top:0"><li>Red<li>Green</ul>');
    document.body.addEventListener('click', ({ target }) => { if (target.matches('body > ul li')) { report('Team', $('#t').textContent = target.textContent); target.parentNode.remove(); } });
    $('#d').onfocus = () => { days.innerHTML = Array.from({ length: 9 }, (_, n) => '<b style="display:block">' + (n + 1) + '</b>').join(''); days.className = 'open'; };
    $('#d').onkeydown = ({ key, target }) => { if (key === 'Enter') { report('Day', target.value); days.innerHTML = ''; } };
    iron.onmousedown = () => { onmouseup = () => { onmouseup = null; iron.style.transition = 'transform 250ms'; iron.style.transform = 'translateY(40px)'; iron.ontransitionend = () => report('Iron', 'moved'); }; };
    onmousemove = () => { iron.title = 'grabbed'; };`,
  ),
  /** A combobox that takes a date at Enter, and offers the days of its calendar. */
  due: widgetPage(
    `<label for=d>Due</label><input id=d role=combobox aria-controls=l><div id=l role=listbox hidden>${Array.from({ length: 9 }, (_, n) => `<span role=option>${n + 1}</span> `).join('')}</div>`,
    `const due = $('#d');
    let taken = '';
    due.onfocus = () => { $('#l').hidden = false; };
    due.onblur = () => { $('#l').hidden = true; due.value = taken; };
    due.onkeydown = ({ key }) => { if (key === 'Enter' && /\\d{4}$/.test(due.value)) report('Due', taken = due.value); };`,
  ),
  menu: MENU('declare(true); setTimeout(show, 200);'),
  /** In a frame whose size its page changes once: open popups close, as in libraries that close them on a resize. */
  resized: MENU(
    `declare(true); show(); if (++clicks === 1) parent.postMessage('opened', '*');`,
    "window.onresize = () => { declare(false); $('[role=menu]')?.remove(); };",
  ),
  resizing: widgetPage(
    '<iframe src="http://b.test:PORT/resized" height=200></iframe>',
    `window.onmessage = () => { $('iframe').height = 203; };`,
  ),
};
