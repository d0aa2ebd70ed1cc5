/** Pages for selectors: what they are for, and their HTML. */
export const PAGES: Readonly<Record<string, string>> = {
  'a form': `<form aria-label="Account"><label>First name <input placeholder="Ada" data-testid="first"></label>
    <label for=m>E-mail address</label><input id=m type=email placeholder="you@example.test" required>
    <label>Password <input type=password></label><label>Born <input type=date></label>
    <input type=checkbox id=n checked><label for=n>Newsletter</label>
    <input type=checkbox aria-label="Terms and conditions"><select aria-label=Country><option>France<option selected>Spain</select>
    <fieldset disabled><legend>Later</legend><button>Save</button></fieldset>
    <button class="primary big">Save <b>changes</b></button><button aria-pressed=true>Bold</button>
    <button aria-pressed=mixed>Italic</button><input type=submit value="Send it"><input type=reset>
    <span id=l1>Given</span> <span id=l2>by id</span><input aria-labelledby="l1 l2"><input type=file aria-label=Photo>
    <textarea placeholder="Say something"></textarea><input type=range aria-label=Size></form>`,
  'rows and lists': `<h1>Invoices</h1><h2>Open</h2><table><tr><th>Number<th>Action<tr class=row><td>Invoice 7<td><button>Pay</button>
    <tr class=row><td>Invoice 70<td><button>Pay</button><tr class="row last"><td>Invoice 8<td><button disabled>Pay</button></table>
    <ul><li>One <a href="#a">more</a><li>Two <a href="#b">More</a><li><a>not a link</a></ul>
    <div role=heading aria-level=3>Third</div><ul role=none><li>x</ul><h2 aria-level=4>Fourth</h2>
    <div role=tablist><div role=tab aria-selected=true>Tab A</div><div role=tab aria-selected=false>Tab B</div></div>
    <details open><summary>Details</summary><p>Inside</details><button aria-expanded=false>Menu</button><button aria-expanded=true>Open menu</button>`,
  'what is hidden': `<button style="display:none">Save</button><button style="visibility:hidden">Save</button><div aria-hidden=true><button>Save</button></div>
    <button>Save</button><div style="visibility:hidden"><button style="visibility:visible">Save</button></div><div style="display:contents"><button>Save</button></div>
    <p hidden>secret text</p><p>plain text</p><script>var text = 'text'</script><style>.text { color: red }</style><noscript>text</noscript><template><p>text</p></template>`,
  'text in pieces': `<p>Hello <b>big</b> world</p><p>Hello   big\n world</p><div>hello<span> big world</span></div><div><div><span>one</span></div></div>
    <div>two<br>lines</div><button>O'Brien "quoted"</button><p>soft\u00adhyphen and\u00a0space</p><p>a >> b</p><p>(1) [2] {3} /4/</p><p>1 = 2</p>`,
  'shadow trees': `<div class=outer id=host><template shadowrootmode=open><section class=inner><button class=go>Go <slot></slot></button>
    <p>deep text</p></section><x-deep><template shadowrootmode=open><span class=leaf data-testid=leaf>leaf text</span><input placeholder=deep aria-label=Deep></template></x-deep></template>there</div>
    <div class=outer><span class=leaf>light leaf</span></div><p>deep text outside</p>`,
};

/** Selectors that both engines read in the same way, a line of them for each kind. */
export const SELECTORS: readonly string[] = `
css=button ¦ button ¦ #host ¦ .row ¦ .row button ¦ .row > td > button ¦ tr + tr button ¦ h1 ~ table ¦ [placeholder] ¦ button, a[href]
input[type=checkbox]:checked ¦ css=.outer .leaf ¦ css=#host > .inner ¦ #host .inner .go ¦ div.outer x-deep span.leaf
button:has-text("save") ¦ .row:has-text("Invoice 7") button ¦ tr:has(button[disabled]) ¦ p:text("hello") ¦ p:text-is("plain text") ¦ button:visible
text=Save ¦ text=pay ¦ text="Pay" ¦ "Save" ¦ 'Pay' ¦ text=hello big world ¦ text="Hello" ¦ text=text ¦ text=/invoice \\d$/i ¦ text=/^Two/
text=deep text ¦ text=leaf ¦ text=there ¦ text=Send it ¦ text="Send it" ¦ text=O'Brien ¦ text=softhyphen ¦ text=and space ¦ text=one ¦ text=lines ¦ text=(1) [2]
role=button ¦ role=button[name="Save"] ¦ role=button[name="save"i] ¦ role=button[name=/^sa/i] ¦ role=button[name*="chang"] ¦ role=button[name^="Open"]
role=button[name="Save"][disabled] ¦ role=button[disabled=false] ¦ role=button[include-hidden] ¦ role=button[pressed] ¦ role=button[pressed="mixed"]
role=button[expanded] ¦ role=button[expanded=false] ¦ role=checkbox[checked] ¦ role=checkbox[checked=false] ¦ role=tab[selected]
role=heading ¦ role=heading[level=2] ¦ role=heading[level=3] ¦ role=textbox ¦ role=textbox[name="First name"] ¦ role=link ¦ role=row ¦ role=cell
role=columnheader ¦ role=listitem ¦ role=list ¦ role=combobox ¦ role=option ¦ role=group ¦ role=form ¦ role=slider ¦ role=paragraph ¦ role=table
//button ¦ xpath=//tr[2]/td ¦ (//button)[1] ¦ //p[contains(., "text")] ¦ xpath=//li/a
css=.row >> text=Pay ¦ css=tr >> role=button ¦ css=.row >> nth=1 >> button ¦ .row >> nth=-1 ¦ css=button >> text=Save ¦ css=ul >> //a
role=row >> css=td >> nth=0 ¦ text=a >> nth=0 ¦ css=.outer >> css=.leaf ¦ css=p >> visible=true ¦ css=button >> visible=true >> nth=0
css=table >> tr td ¦ form >> css=label input
`
  .trim()
  .split(/ ¦ |\n/);

export const LOCATORS = {
  label: `First name ¦ first ¦ "First name" ¦ E-mail ¦ terms and conditions ¦ "Terms and conditions" ¦ Given ¦ Country ¦ Deep ¦ /^e-mail/i`,
  placeholder: `ada ¦ "Ada" ¦ you@ ¦ Say something ¦ deep ¦ /^a/i`,
  testid: 'first ¦ leaf ¦ lea ¦ /^l/',
} as const;
