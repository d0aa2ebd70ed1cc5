/**
 * Cases for each step of accname 1.2 and each row of HTML-AAM, made from two tables: what names an element, in order,
 * and what a part adds to the names around it. `@` is a number of the case's own; `t` marks the element that is named.
 */

/** An element, and its sources of a name in the order of HTML-AAM; `for` is a label. */
const ELEMENTS = `
input type="text" ¦ ref label for title placeholder
input type="password" ¦ ref label for title placeholder
input type="number" ¦ ref label for title placeholder
input type="search" ¦ ref label for title placeholder
input type="tel" ¦ ref label for title placeholder
input type="email" ¦ ref label for title placeholder
input type="url" ¦ ref label for title placeholder
textarea ¦ ref label for title placeholder
input type="button" ¦ ref label for value title
input type="submit" ¦ ref label for value title
input type="reset" ¦ ref label for value title
input type="image" src="data:," ¦ ref label for alt title
button ¦ ref label for text title
button type="reset" ¦ ref label for text title
input type="checkbox" ¦ ref label for title
input type="radio" ¦ ref label for title
input type="range" ¦ ref label for title
input type="color" ¦ ref label for title
input type="date" ¦ ref label for title
input type="time" ¦ ref label for title
select ¦ ref label for title
select multiple ¦ ref label for title
meter value="0.5" ¦ ref label for title
progress value="0.5" ¦ ref label for title
output ¦ ref label for title
fieldset ¦ ref label legend title
figure ¦ ref label figcaption title
table ¦ ref label caption summary title
summary ¦ ref label text title
a href="/x" ¦ ref label text title
img src="data:," ¦ ref label alt title
svg width="9" height="9" role="img" ¦ ref label svg-title
iframe ¦ ref label title
section ¦ ref label title
nav ¦ ref label title
article ¦ ref label title
form ¦ ref label title
ul ¦ ref label title
details ¦ ref label title
dialog open ¦ ref label title
h2 ¦ ref label text title
td ¦ ref label text title
th ¦ ref label text title
option ¦ ref label text
optgroup ¦ label-attribute
audio controls ¦ ref label title
video controls ¦ ref label title
canvas ¦ ref label title
`;

const ATTRIBUTES: Readonly<Record<string, string>> = {
  ref: 'aria-labelledby="r@"',
  label: 'aria-label="Label"',
  title: 'title="Title"',
  placeholder: 'placeholder="Placeholder"',
  value: 'value="Value"',
  alt: 'alt="Alt"',
  summary: 'summary="Summary"',
  'label-attribute': 'label="Attribute"',
};
const CHILDREN: Readonly<Record<string, string>> = {
  text: 'Text',
  legend: '<legend>Legend</legend>',
  figcaption: '<figcaption>Figcaption</figcaption>',
  caption: '<caption>Caption</caption>',
  'svg-title': '<title>Drawing</title>',
};
/** Elements that are only parsed in these, at `→`. */
const OUTER: Readonly<Record<string, string>> = {
  summary: '<details open>→</details>',
  td: '<table><tr><th>a</th><th>b</th></tr><tr>→<td>1</td></tr></table>',
  th: '<table><tr>→<th>b</th></tr><tr><td>1</td><td>2</td></tr></table>',
  option: '<select size="2">→</select>',
  optgroup: '<select size="3">→</select>',
};
const REST: Readonly<Record<string, string>> = {
  table: '<tr><th>a</th></tr><tr><td>1</td></tr>',
  select: '<option>x</option>',
  optgroup: '<option>x</option>',
  figure: '<p>x</p>',
  section: '<p>x</p>',
  svg: '<rect width="9" height="9"/>',
};
const VOID = new Set(['input', 'img']);

/** @param empty of these sources there is only white space */
function elementWith(start: string, sources: readonly string[], empty: readonly string[]): string {
  const [tag = ''] = start.split(' ');
  const blank = (all: Readonly<Record<string, string>>, name: string): string =>
    empty.includes(name)
      ? (all[name] ?? '').replace(/"(?!r@)[^"]*"|(?<=>)\w+(?=<)|^\w+$/, (found) =>
          found.startsWith('"') ? '" "' : ' ',
        )
      : (all[name] ?? '');
  const all = [...empty, ...sources];
  const attributes = all.map((name) => blank(ATTRIBUTES, name)).join(' ');
  const content = all.map((name) => blank(CHILDREN, name)).join('');
  const end = VOID.has(tag) ? '' : `${content}${REST[tag] ?? ''}</${tag}>`;
  const own = `<${start} t id="e@" ${attributes}>${end}`;
  const ref = all.includes('ref') ? `<b id="r@">${empty.includes('ref') ? ' ' : 'Ref'}</b>` : '';
  const label = all.includes('for') ? `<label for="e@">${empty.includes('for') ? ' ' : 'For'}</label>` : '';
  return ref + label + (OUTER[tag] ?? '→').replace('→', () => own);
}

/** The names by each source. */
const SAYS: Readonly<Record<string, string>> = {
  ref: 'Ref',
  label: 'Label',
  'label-attribute': 'Attribute',
  for: 'For',
  title: 'Title',
  placeholder: 'Placeholder',
  value: 'Value',
  alt: 'Alt',
  summary: 'Summary',
  text: 'Text',
  legend: 'Legend',
  figcaption: 'Figcaption',
  caption: 'Caption',
  'svg-title': 'Drawing',
};
/** The words of the browser, by the source that is not asked or not there. */
const DEFAULTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'input type="submit"': { title: 'Submit', nothing: 'Submit' },
  'input type="reset"': { title: 'Reset', nothing: 'Reset' },
  'input type="image" src="data:,"': { nothing: 'Submit' },
};

interface NameCase {
  readonly title: string;
  readonly html: string;
  /** The right name, if the tables say it. */
  readonly name?: string;
}

/** Each source with those after it, those before it missing or empty; and none. */
function* elementCases(): Generator<NameCase> {
  for (const line of ELEMENTS.trim().split('\n')) {
    const [start = '', list = ''] = line.split(' ¦ ');
    const sources = list.split(' ');
    if (list.startsWith('ref')) {
      const html = elementWith(start, sources, []).replace('aria-labelledby="', 'aria-labelledby="e@ ');
      yield { title: `${start} by itself`, html, name: 'Label Ref' };
    }
    for (const [at, source] of [...sources, 'nothing'].entries()) {
      const name = SAYS[source] ?? '';
      const [before, after] = [sources.slice(0, at), sources.slice(at)];
      const shown = DEFAULTS[start]?.[source] ?? name;
      yield { title: `${start} by ${source}`, html: elementWith(start, after, []), name: shown };
      const title = `${start} by ${source}, not by what is empty`;
      if (at > 0) yield { title, html: elementWith(start, after, before), name };
    }
  }
}

/** Names around a part. */
const AROUND: Readonly<Record<string, string>> = {
  button: '<button t>One → two</button>',
  heading: '<h2 t>One → two</h2>',
  label: '<label for="e@">One → two</label><input t type="checkbox" id="e@">',
  reference: '<div id="r@">One → two</div><i t role="button" tabindex="0" aria-labelledby="r@"></i>',
  'hidden reference':
    '<div id="r@" hidden>One → two</div><i t role="button" tabindex="0" aria-labelledby="r@"></i>',
};

const PARTS = `
# hidden
hidden ¦ <b hidden>x</b>
display: none ¦ <b style="display: none">x</b>
visibility: hidden ¦ <b style="visibility: hidden">x</b>
visibility: collapse ¦ <b style="visibility: collapse">x</b>
visible in what is invisible ¦ <b style="visibility: hidden">x <i style="visibility: visible">y</i></b>
aria-hidden ¦ <b aria-hidden="true">x</b>
aria-hidden in what is not ¦ <b>x <i aria-hidden="true">y</i></b>
aria-hidden of another value ¦ <b aria-hidden="false">x</b><i aria-hidden>y</i>
clipped ¦ <b style="position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden">x</b>
hidden with a label ¦ <b hidden aria-label="x">y</b>
# references
itself ¦ <b id="p@" aria-labelledby="p@" aria-label="x">y</b>
another element ¦ <b aria-labelledby="q@">y</b><i id="q@" hidden>z</i>
another element, before it ¦ <i id="q@">z</i><b aria-labelledby="q@">y</b>
another element, after it ¦ <b aria-labelledby="q@">y</b><i id="q@">z</i>
nothing ¦ <b aria-labelledby="gone">y</b>
an empty list ¦ <b aria-labelledby="">y</b>
a chain ¦ <b aria-labelledby="q@">y</b><i hidden><u id="q@" aria-labelledby="s@">z</u><s id="s@">w</s></i>
the same twice ¦ <b aria-labelledby="q@ q@">y</b><i id="q@" hidden>z</i>
a picture twice ¦ <b aria-labelledby="q@">y</b><img id="q@" src="data:," alt="z">
# controls
text field ¦ <input value="x">
text field, empty ¦ <input>
text field, empty, with a label ¦ <input aria-label="y">
text field with a label ¦ <input value="x" aria-label="y">
text field with a title ¦ <input value="x" title="y">
text field with a placeholder ¦ <input placeholder="y">
search field ¦ <input type="search" value="x">
e-mail field ¦ <input type="email" value="x@y.test">
number ¦ <input type="number" value="3">
range ¦ <input type="range" value="3" max="9">
date ¦ <input type="date" value="2026-01-02">
text area ¦ <textarea>x</textarea>
select ¦ <select><option>x<option selected>y</select>
select of several ¦ <select multiple><option selected>x<option selected>y<option>z</select>
check box ¦ <input type="checkbox" checked value="x">
check box with a label ¦ <input type="checkbox" aria-label="x">
radio with a title ¦ <input type="radio" title="x">
button ¦ <input type="button" value="x">
submit ¦ <input type="submit">
image button ¦ <input type="image" src="data:," alt="x">
hidden field ¦ <input type="hidden" value="x">
meter ¦ <meter value="0.5">x</meter>
progress ¦ <progress value="0.5">x</progress>
output ¦ <output>x</output>
inner button ¦ <span role="button" tabindex="0">x</span>
# roles of controls
textbox ¦ <span role="textbox" contenteditable>x</span>
textbox with a label ¦ <span role="textbox" contenteditable aria-label="y">x</span>
searchbox ¦ <span role="searchbox" tabindex="0">x</span>
combobox ¦ <span role="combobox" tabindex="0" aria-expanded="false">x</span>
combobox with a list ¦ <span role="combobox" tabindex="0" aria-expanded="true"><i role="listbox"><i role="option" aria-selected="true">x</i><i role="option">y</i></i></span>
listbox ¦ <span role="listbox"><i role="option" aria-selected="true">x</i><i role="option">y</i></span>
listbox of several ¦ <span role="listbox" aria-multiselectable="true"><i role="option" aria-selected="true">x</i><i role="option" aria-selected="true">y</i></span>
listbox, nothing chosen ¦ <span role="listbox"><i role="option">x</i><i role="option">y</i></span>
slider ¦ <span role="slider" tabindex="0" aria-valuenow="3">x</span>
slider with a text ¦ <span role="slider" tabindex="0" aria-valuenow="3" aria-valuetext="three">x</span>
spinbutton ¦ <span role="spinbutton" tabindex="0" aria-valuenow="3">x</span>
scrollbar ¦ <span role="scrollbar" aria-valuenow="3">x</span>
progressbar ¦ <span role="progressbar" aria-valuenow="3">x</span>
meter by role ¦ <span role="meter" aria-valuenow="3">x</span>
checkbox ¦ <span role="checkbox" aria-checked="true">x</span>
menu ¦ <span role="menu"><i role="menuitem">x</i></span>
# labels
of a span ¦ <b aria-label="y">x</b>
of a block ¦ <div aria-label="y">x</div>
blank ¦ <b aria-label=" ">x</b>
of an empty span ¦ <b aria-label="y"></b>
of what is hidden ¦ <b aria-label="y" aria-hidden="true">x</b>
of role none ¦ <b role="none" aria-label="y">x</b>
of a link ¦ <span role="link" aria-label="y">x</span>
of a slot ¦ <x-p@><template shadowrootmode="open"><slot aria-label="y"></slot></template>x</x-p@>
of a host ¦ <x-p@ aria-label="y"><template shadowrootmode="open"><slot></slot></template>x</x-p@>
of a slot without content ¦ <x-p@><template shadowrootmode="open"><slot aria-label="y"></slot></template></x-p@>
# pictures and other content
alt ¦ <img src="data:," alt="x">
empty alt ¦ <img src="data:," alt="">
no alt ¦ <img src="data:,">
empty alt and title ¦ <img src="data:," alt="" title="x">
no alt and title ¦ <img src="data:," title="x">
alt and title ¦ <img src="data:," alt="x" title="y">
alt and aria-label ¦ <img src="data:," alt="x" aria-label="y">
empty alt and aria-label ¦ <img src="data:," alt="" aria-label="y">
picture of role none ¦ <img src="data:," alt="x" role="none">
drawing ¦ <svg width="9" height="9"><title>x</title><rect width="9" height="9"/></svg>
drawing with text ¦ <svg width="9" height="9"><text y="9">x</text></svg>
drawing with a label ¦ <svg width="9" height="9" aria-label="x"><rect width="9" height="9"/></svg>
drawing without a name ¦ <svg width="9" height="9"><rect width="9" height="9"/></svg>
role img ¦ <span role="img" aria-label="x">y</span>
abbr ¦ <abbr title="y">x</abbr>
title of an empty span ¦ <b title="y"></b>
title of a span ¦ <b title="y">x</b>
frame ¦ <iframe title="x" width="9" height="9"></iframe>
canvas ¦ <canvas width="9" height="9" aria-label="x"></canvas>
video ¦ <video width="9" height="9" aria-label="x"></video>
object ¦ <object title="x"></object>
script ¦ <script type="x">x</script>
style ¦ <style>i { color: red }</style>
noscript ¦ <noscript>x</noscript>
template ¦ <template>x</template>
comment ¦ <!-- x -->
datalist ¦ <datalist><option>x</option></datalist>
ruby ¦ <ruby>x<rp>(</rp><rt>y</rt><rp>)</rp></ruby>
math ¦ <math><mi>x</mi></math>
deleted ¦ <del>x</del>
figure ¦ <figure><img src="data:," alt="x"><figcaption>y</figcaption></figure>
table ¦ <table><caption>x</caption><tr><th>y</th><td>z</td></tr></table>
fieldset ¦ <fieldset><legend>x</legend>y</fieldset>
details, closed ¦ <details><summary>x</summary>y</details>
details, open ¦ <details open><summary>x</summary>y</details>
list ¦ <ul><li>x</li><li>y</li></ul>
ordered list ¦ <ol><li>x</li><li>y</li></ol>
definitions ¦ <dl><dt>x</dt><dd>y</dd></dl>
group of a tree ¦ <span role="group"><i role="treeitem">x</i></span>
tooltip ¦ <span role="tooltip">x</span>
live region ¦ <span role="status">x</span>
# spaces
inline ¦ a<b>x</b>c
block ¦ a<div>x</div>c
inline block ¦ a<b style="display: inline-block">x</b>c
flex ¦ a<b style="display: flex"><i>x</i><i>y</i></b>c
inline flex ¦ a<b style="display: inline-flex"><i>x</i><i>y</i></b>c
grid ¦ a<b style="display: grid"><i>x</i><i>y</i></b>c
contents ¦ a<b style="display: contents">x</b>c
float ¦ a<b style="float: left">x</b>c
absolute ¦ a<b style="position: absolute">x</b>c
line break ¦ a<br>c
place to break ¦ a<wbr>c
rule ¦ a<hr>c
soft hyphen ¦ a&shy;c
no-break space ¦ a&nbsp;c
lines ¦ a <b> x </b> c
list item ¦ a<b style="display: list-item">x</b>c
table cells ¦ a<b style="display: table"><i style="display: table-cell">x</i><i style="display: table-cell">y</i></b>c
preformatted ¦ <pre>x
y</pre>
picture between ¦ a<img src="data:," alt="x">c
empty picture between ¦ a<img src="data:," alt="">c
field between ¦ a<input value="x">c
empty span between ¦ a<b></b>c
span of white space between ¦ a<b> </b>c
empty block between ¦ a<div></div>c
drawing between ¦ a<svg width="9" height="9"><title>x</title><rect width="9" height="9"/></svg>c
# generated
before ¦ <style>.b@::before { content: "g" }</style><b class="b@">x</b>
after ¦ <style>.b@::after { content: "g" }</style><b class="b@">x</b>
with a space ¦ <style>.b@::before { content: "g " }</style><b class="b@">x</b>
as a block ¦ <style>.b@::before { content: "g"; display: block }</style><b class="b@">x</b>
attribute ¦ <style>.b@::before { content: attr(data-g) }</style><b class="b@" data-g="g">x</b>
alternative ¦ <style>.b@::before { content: "★" / "g" }</style><b class="b@">x</b>
hidden before ¦ <style>.b@::before { content: "g"; visibility: hidden }</style><b class="b@">x</b>
marker ¦ <style>.b@::marker { content: "g" }</style><b class="b@" style="display: list-item">x</b>
quote ¦ <q>x</q>
# owned
owned elsewhere ¦ <b aria-owns="o@">x</b>
owned by what is empty ¦ <b aria-owns="o@"></b>
`;

/** Own content, in the roles that are named by it and in those that are not. */
const ROLES =
  'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox complementary ' +
  'contentinfo definition deletion dialog document emphasis feed figure form grid gridcell group heading img insertion link list ' +
  'listbox listitem log main marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option ' +
  'paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider ' +
  'spinbutton status strong subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree ' +
  'treegrid treeitem';

const HOLDERS: Readonly<Record<string, string>> = { listitem: 'list', option: 'listbox', treeitem: 'tree' };

function* partCases(): Generator<NameCase> {
  let area = '';
  for (const line of PARTS.trim().replaceAll('x\ny</pre>', 'x↵y</pre>').split('\n')) {
    const [title = '', part = ''] = line.split(' ¦ ');
    if (part === '') area = title.slice(2);
    else
      for (const [around, html] of Object.entries(AROUND)) {
        const owned = area === 'owned' ? '<i id="o@">owned</i>' : '';
        yield {
          title: `${area}: ${title} in ${around}`,
          html: html.replace('→', () => part.replace('↵', '\n')) + owned,
        };
      }
  }
}

function* roleCases(): Generator<NameCase> {
  for (const role of ROLES.split(' ')) {
    const [before, after] = role in HOLDERS ? [`<div role="${HOLDERS[role]}">`, '</div>'] : ['', ''];
    const make = (own: string): string => `${before}<div t role="${role}"${own}</div>${after}`;
    yield { title: `role ${role} by content`, html: make('>x <b>y</b>') };
    yield { title: `role ${role} by title`, html: make(' title="Title">') };
  }
}

/** Each page has one marked element. */
export const nameMatrix = (): NameCase[] =>
  [...elementCases(), ...partCases(), ...roleCases()].map((one, at) => ({
    ...one,
    html: `<section>${one.html.replaceAll('@', `-${at}`)}</section>`,
  }));
