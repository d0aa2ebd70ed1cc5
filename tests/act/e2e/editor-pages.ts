import { widgetPage } from './widget-page.ts';

/** Editors that keep their text as a model, format it, or divide it. */
export const EDITOR_PAGES: Readonly<Record<string, string>> = {
  /** A calendar that lies over the rest of the form until its field is left. */
  calendar: widgetPage(
    '<label>From <input id=from></label><div id=days hidden style="position:absolute;width:300px;height:200px;background:white"><table role=grid><tr><td>1<td>2</table></div><p><label><input id=late type=checkbox> Late</label>',
    `$('#from').onfocus = () => { $('#days').hidden = false; };
    $('#from').onblur = () => setTimeout(() => { $('#days').hidden = true; }, 50);
    $('#late').onchange = () => report('From', $('#from').value);`,
  ),
  model: widgetPage(
    '<div role=textbox contenteditable=true aria-label=Note><p>One</p></div>',
    `let text = 'One', box = $('div');
    box.oncopy = (event) => { event.preventDefault(); event.clipboardData.setData('text/plain', text); };
    const show = () => { box.innerHTML = text.split('\\n').slice(0, 3).map((line) => '<p>' + (line || '<br>') + '</p>').join(''); report('Note', JSON.stringify(text)); getSelection().selectAllChildren(box); getSelection().collapseToEnd(); };
    const put = (added) => { const selected = String(getSelection()); text = selected === '' ? text + added : added; show(); };
    box.onbeforeinput = (event) => { event.preventDefault(); if (event.inputType.startsWith('delete')) put(''); else put(event.inputType === 'insertParagraph' ? '\\n' : event.data ?? ''); };`,
  ),
  /** Text that the browser formats: its buttons apply to what is typed next, until the caret moves. */
  rich: widgetPage(
    '<div role=textbox contenteditable aria-label=Note>One</div><button>Bold</button>',
    `const box = $('div');
    box.oninput = () => report('Note', box.innerHTML.replaceAll('&nbsp;', ' '));
    $('button').onmousedown = (event) => event.preventDefault();
    $('button').onclick = () => document.execCommand('bold');`,
  ),
  /** An editor of blocks, where each line that is pasted becomes the next one. */
  blocks: widgetPage(
    '<div contenteditable aria-label=Block>One</div>',
    `document.oninput = () => report('Blocks', [...document.querySelectorAll('div')].map((each) => each.textContent).join());
    document.onpaste = (event) => {
      for (const line of event.clipboardData.getData('text').split('\\n')) { document.activeElement.insertAdjacentHTML('afterend', '<div contenteditable>' + line + '</div>'); document.activeElement.nextSibling.focus(); }
      document.oninput(event.preventDefault());
    };`,
  ),
  /** An editor that drops empty lines from a paste, and a calendar that is shown by a class. */
  blank: widgetPage(
    '<style>.shut{display:none}</style><div role=textbox contenteditable aria-label=Note><div>One</div></div><input type=search aria-label=Day><input aria-label=City aria-autocomplete=list><table class=shut style="position:absolute;height:90px;width:90px"><tr><td>1<td>2</table><button>Move</button>',
    `const note = $('div');
    note.oninput = () => report('Note', JSON.stringify(note.innerText));
    note.onpaste = (event) => { event.preventDefault(); note.innerHTML = event.clipboardData.getData('text').split(/\\n+/).map((line) => '<div>' + line + '</div>').join(''); };
    $('input').onfocus = () => { $('table').className = ''; };
    $('button').onclick = ({ target }) => { target.style.translate = '9px'; };`,
  ),
};
