/** Native states and those of ARIA. */
export const STATE_CASES = `
check boxes ¦ <input t type="checkbox"><input t type="checkbox" checked><input t type="radio" checked>
switches and roles that are checked ¦ <div t role="switch" aria-checked="true"></div><div t role="checkbox" aria-checked="mixed" tabindex="0"></div><div t role="menuitemcheckbox" aria-checked="false"></div>
native state over ARIA ¦ <input t type="checkbox" checked aria-checked="false">
pressed ¦ <button t aria-pressed="true">a</button><button t aria-pressed="mixed">b</button><button t aria-pressed="false">c</button>
expanded ¦ <button t aria-expanded="true">a</button><button t aria-expanded="false">b</button><details open><summary t>c</summary></details><details><summary t>d</summary></details>
selected ¦ <div role="tablist"><button t role="tab" aria-selected="true">a</button><button t role="tab" aria-selected="false">b</button></div>
selected options ¦ <select multiple size="3"><option t selected>a</option><option t>b</option></select>
several may be selected ¦ <select t multiple><option>a</option></select><div t role="listbox" aria-multiselectable="true"></div>
disabled ¦ <button t disabled>a</button><fieldset disabled><input t></fieldset><div t role="button" aria-disabled="true">b</div><select><option t disabled>x</option></select>
of every kind inside what is disabled by ARIA ¦ <div role="group" aria-disabled="true"><button t>a</button><a t href="/x">b</a><p t>c</p><input t><div t role="option" aria-disabled="false" tabindex="0">d</div></div>
required ¦ <input t required value="x"><div t role="textbox" aria-required="true" tabindex="0">x</div>
readonly ¦ <input t readonly value="x"><textarea t readonly>x</textarea><div t role="textbox" aria-readonly="true" tabindex="0">x</div><input t type="checkbox" readonly>
declared invalid ¦ <input t aria-invalid="true"><input t aria-invalid="false"><input t aria-invalid="spelling"><input t aria-invalid="">
invalid by its type ¦ <input t type="email" value="x"><input t type="url" value="x"><input t type="email" value="a@b.test">
invalid by its bounds ¦ <input t type="number" min="1" max="3" value="9"><input t type="number" step="2" value="3"><input t type="date" min="2026-01-02" value="2026-01-01"><input t type="number" min="1" value="2">
invalid, and declared valid ¦ <input t type="email" value="x" aria-invalid="false">
invalid that is never checked ¦ <input t type="email" value="x" disabled><input t type="email" value="x" readonly>
a form around what is invalid ¦ <form t aria-label="F"><fieldset t><input type="email" value="x"></fieldset></form>
a form control with a message of a script ¦ <input t value="x" data-problem="No.">
popups ¦ <button t aria-haspopup="menu">a</button><button t aria-haspopup="dialog">b</button><button t aria-haspopup="true">c</button>
`;

/** Elements that are described, or are not. */
export const DESCRIPTION_CASES = `
none ¦ <button t>a</button>
aria-describedby ¦ <input t aria-describedby="d"><p id="d">Hint <b>x</b></p>
one that is hidden ¦ <button t aria-describedby="d">a</button><p id="d" hidden>One</p>
aria-description ¦ <button t aria-description="d">a</button>
aria-describedby before aria-description ¦ <button t aria-describedby="d" aria-description="x">a</button><p id="d">One</p>
a title that is not the name ¦ <button t title="t">a</button><a t href="/x" title="t">a</a><input t aria-label="n" title="t">
elements set by script ¦ <button t data-note="#d">a</button><p id="d">One</p>
`;
