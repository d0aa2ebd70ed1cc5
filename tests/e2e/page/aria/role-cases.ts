/** Elements with a role of their own, unnamed and named, and roles that attributes give or take. Those with a `t` attribute are computed. */
export const ROLE_CASES = `
# text-level elements
a with an address ¦ <a t href="/x">Link</a>
a without an address ¦ <a t>Anchor</a>
a with an empty address ¦ <a t href="">Here</a>
code ¦ <p><code t>x = 1</code></p>
del and ins ¦ <p><del t>old</del> <ins t>new</ins></p>
s is a deletion ¦ <p><s t>old price</s></p>
em and strong ¦ <p><em t>soft</em> <strong t>loud</strong></p>
mark ¦ <p><mark t>found</mark></p>
sub and sup ¦ <p>H<sub t>2</sub>O x<sup t>2</sup></p>
time ¦ <p><time t datetime="2026-01-02">today</time></p>
# blocks and sections
p ¦ <p t>Paragraph</p>
p with aria-label ¦ <p t aria-label="Named">Paragraph</p>
blockquote ¦ <blockquote t>Quote</blockquote>
hr ¦ <hr t>
hgroup ¦ <hgroup t><h1 t>Title</h1><p>Tagline</p></hgroup>
headings of every level ¦ <h1 t>1</h1><h2 t>2</h2><h3 t>3</h3><h4 t>4</h4><h5 t>5</h5><h6 t>6</h6>
article without a name ¦ <article t>News</article>
section without a name ¦ <section t><h2>Part</h2></section>
section with aria-label ¦ <section t aria-label="Part one">x</section>
section with a blank aria-label ¦ <section t aria-label="  ">x</section>
section that names a missing element ¦ <section t aria-labelledby="gone">x</section>
section with a title ¦ <section t title="Hint">x</section>
form without a name ¦ <form t><input></form>
form with a name ¦ <form t aria-label="Sign in"><input></form>
search ¦ <search t><input></search>
main ¦ <main t>Main</main>
nav ¦ <nav t>Menu</nav>
figure with a caption ¦ <figure t><img alt="Mill" src="data:,"><figcaption t>A mill</figcaption></figure>
figure with aria-label and a caption ¦ <figure t aria-label="Own"><figcaption>Caption</figcaption></figure>
dialog named by its heading ¦ <dialog t open aria-labelledby="h"><h2 id="h">Delete?</h2></dialog>
# landmarks inside sections
header and footer of the page ¦ <header t>Top</header><footer t>Bottom</footer>
of an article ¦ <article><header t>Top</header><footer t>Bottom</footer></article>
of a section without a name ¦ <section><header t>Top</header><footer t>Bottom</footer></section>
of main ¦ <main><header t>Top</header><footer t>Bottom</footer></main>
of nav and aside ¦ <nav><header t>Top</header></nav><aside><footer t>Bottom</footer></aside>
of an article by role ¦ <div role="article"><header t>Top</header></div>
of a region by role ¦ <div role="region" aria-label="R"><header t>Top</header></div>
of complementary and navigation by role ¦ <div role="complementary"><header t>Top</header></div><div role="navigation"><footer t>Bottom</footer></div>
aside of the page ¦ <aside t>Related</aside>
aside without a name in an article ¦ <article><aside t>Related</aside></article>
aside with a name in an article ¦ <article><aside t aria-label="Notes">Related</aside></article>
aside without a name in a section ¦ <section aria-label="S"><aside t>Related</aside></section>
aside with a title in a section ¦ <section aria-label="S"><aside t title="Notes">x</aside></section>
header that has a role ¦ <article><header t role="banner">Top</header></article>
# lists and definitions
ul and li ¦ <ul t><li t>one</li><li t>two</li></ul>
li outside of a list ¦ <div><li t>alone</li></div>
li of a list without its role ¦ <ul role="none"><li t>one</li></ul>
nested list of a list without its role ¦ <ul role="none"><li t>one<ul><li t>two</li></ul></li></ul>
li with a role ¦ <ul role="tablist" t><li t role="tab">one</li></ul>
dl ¦ <dl t><dt t>Term</dt><dd t>Meaning</dd></dl>
list by roles ¦ <div t role="list"><div t role="listitem">one</div></div>
# tables
rows and cells ¦ <table t><thead t><tr t><th t>Name</th><th t>Age</th></tr></thead><tbody t><tr><td t>Ann</td><td t>3</td></tr></tbody><tfoot t><tr><td>sum</td><td>3</td></tr></tfoot></table>
caption is the name ¦ <table t><caption t>Prices</caption><tr><th>a</th></tr><tr><td>1</td></tr></table>
scope of headers ¦ <table><tr><th t scope="col">Name</th><th t scope="col">Age</th></tr><tr><th t scope="row">Ann</th><td>3</td></tr></table>
scope of groups ¦ <table><colgroup span="2"></colgroup><tr><th t scope="colgroup" colspan="2">Both</th></tr><tbody><tr><th t scope="rowgroup">G</th><td>1</td></tr></tbody></table>
header in the first column ¦ <table><tr><th t>Ann</th><td>3</td></tr><tr><th t>Bob</th><td>4</td></tr></table>
head with a corner ¦ <table><thead><tr><td t></td><th t>A</th><th t>B</th></tr></thead><tbody><tr><th t>x</th><td>1</td><td>2</td></tr></tbody></table>
a header alone in its row ¦ <table><tr><th t colspan="2">Part</th></tr><tr><td>1</td><td>2</td></tr></table>
cell in a table inside a grid ¦ <div role="grid" aria-label="G"><div role="row"><div role="gridcell"><table><tr><th>h</th></tr><tr><td t>x</td></tr></table></div></div></div>
aria-label over caption ¦ <table t aria-label="Own"><caption>Caption</caption><tr><th>a</th></tr><tr><td>1</td></tr></table>
grid ¦ <table t role="grid" aria-label="G"><tr t><td t>x</td></tr><tr><td>y</td></tr></table>
treegrid ¦ <table t role="treegrid" aria-label="G"><tr t><td t>x</td></tr><tr><td>y</td></tr></table>
table by roles ¦ <div t role="table" aria-label="T"><div t role="row"><span t role="columnheader">A</span></div><div t role="row"><span t role="cell">1</span></div></div>
# pictures and media
img with alt ¦ <img t alt="Mill" src="data:,">
img without alt ¦ <img t src="data:,">
img with empty alt ¦ <img t alt="" src="data:,">
img with empty alt and a title ¦ <img t alt="" title="Mill" src="data:,">
img with empty alt and aria-label ¦ <img t alt="" aria-label="Mill" src="data:,">
img with blank alt ¦ <img t alt=" " src="data:,">
img of role none ¦ <img t role="none" alt="Alt" src="data:,">
img of role image ¦ <div t role="image" aria-label="Chart">x</div>
div of role img ¦ <div t role="img" aria-label="Stars">*****</div>
svg with a title ¦ <svg t width="9" height="9"><title>Sail</title><rect width="9" height="9"/></svg>
svg of role img with a title ¦ <svg t role="img" width="9" height="9"><title>Sail</title><rect width="9" height="9"/></svg>
svg with aria-label ¦ <svg t aria-label="Wing" width="9" height="9"><rect width="9" height="9"/></svg>
svg with a title further down ¦ <svg t role="img" width="9" height="9"><g><title>Part</title></g></svg>
svg link ¦ <svg width="50" height="20"><a t href="/x"><text y="10">Go</text></a></svg>
area with an address ¦ <map name="m"><area t href="/x" alt="North" shape="rect" coords="0,0,9,9"></map><img usemap="#m" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" alt="Map" width="50" height="50">
canvas ¦ <canvas t aria-label="Chart"></canvas>
video and audio ¦ <video t controls aria-label="Film"></video><audio t controls></audio>
math ¦ <math t><mi>x</mi></math>
object and embed ¦ <object t aria-label="Plan" type="text/plain" width="9" height="9"></object>
# widgets
button of type submit without text ¦ <button t type="submit"></button>
summary and details ¦ <details t open><summary t>More</summary>text</details>
second summary ¦ <details open><summary>More</summary><summary t>Again</summary></details>
summary without details ¦ <summary t>More</summary>
inputs of text ¦ <input t aria-label="a"><input t type="text" aria-label="b"><input t type="email" aria-label="c"><input t type="tel" aria-label="d"><input t type="url" aria-label="e"><input t type="search" aria-label="f"><input t type="unknown" aria-label="g">
inputs with a list ¦ <input t list="l" aria-label="a"><input t type="email" list="l" aria-label="b"><input t type="tel" list="l" aria-label="c"><input t type="url" list="l" aria-label="d"><input t type="search" list="l" aria-label="e"><datalist id="l"><option>x</option></datalist>
input whose list is missing ¦ <input t list="gone" aria-label="a">
number with a list ¦ <input t type="number" list="l" aria-label="a"><datalist id="l"><option>1</option></datalist>
inputs that are not text ¦ <input t type="checkbox" aria-label="a"><input t type="radio" aria-label="b"><input t type="range" aria-label="c"><input t type="number" aria-label="d"><input t type="color" aria-label="e"><input t type="file" aria-label="f">
inputs of dates ¦ <input t type="date" aria-label="a"><input t type="time" aria-label="b"><input t type="datetime-local" aria-label="c"><input t type="month" aria-label="d"><input t type="week" aria-label="e">
inputs that are buttons ¦ <input t type="button" value="Go"><input t type="submit" value="Send"><input t type="reset" value="Clear"><input t type="image" alt="Find" src="data:,">
inputs with defaults as buttons ¦ <input t type="submit"><input t type="reset"><input t type="button"><input t type="image" src="data:,">
check box as a switch ¦ <input t type="checkbox" role="switch" aria-label="Dark">
check box as a pressed button ¦ <input t type="checkbox" role="button" aria-pressed="true" aria-label="Bold">
select ¦ <select t aria-label="a"><option t>x</option></select>
select of several ¦ <select t multiple aria-label="a"><option t>x</option></select>
select of several rows ¦ <select t size="3" aria-label="a"><optgroup t label="G"><option t>x</option></optgroup></select>
output ¦ <output t>3</output>
meter and progress ¦ <meter t value="0.5" aria-label="a"></meter><progress t value="0.5" aria-label="b"></progress>
fieldset ¦ <fieldset t><legend t>Name</legend><input></fieldset>
contenteditable ¦ <div t contenteditable aria-label="Note">x</div>
contenteditable inherited ¦ <div contenteditable><p t>x</p></div>
# roles given
first known role counts ¦ <div t role="unknown button">x</div>
upper case ¦ <div t role="BUTTON">x</div>
unknown alone ¦ <nav t role="unknown">x</nav>
abstract role ¦ <nav t role="widget">x</nav>
generic on a button ¦ <div t role="generic" aria-label="x">y</div>
button on a link ¦ <a t href="/x" role="button">Act</a>
tabs ¦ <div t role="tablist"><button t role="tab" aria-selected="true">One</button></div><div t role="tabpanel" aria-label="One">x</div>
menu ¦ <div t role="menubar"><div t role="menuitem">File</div></div><div t role="menu"><div t role="menuitemcheckbox" aria-checked="true">Bold</div><div t role="menuitemradio" aria-checked="false">Left</div></div>
listbox ¦ <div t role="listbox" aria-label="L"><div t role="option">One</div></div>
combobox ¦ <div t role="combobox" aria-label="C" aria-expanded="false" tabindex="0">x</div>
live regions ¦ <div t role="alert">a</div><div t role="status">b</div><div t role="log">c</div><div t role="timer">d</div><div t role="marquee">e</div>
documents ¦ <div t role="document">a</div><div t role="application" aria-label="b">b</div><div t role="feed"><article t>c</article></div>
note, tooltip, toolbar ¦ <div t role="note">a</div><div t role="tooltip">b</div><div t role="toolbar" aria-label="c">c</div>
range widgets ¦ <div t role="slider" aria-label="a" aria-valuenow="1" tabindex="0"></div><div t role="spinbutton" aria-label="b" aria-valuenow="1"></div><div t role="scrollbar" aria-label="c" aria-valuenow="1" aria-controls="x"></div><div t role="progressbar" aria-label="d" aria-valuenow="1"></div><div t role="meter" aria-label="e" aria-valuenow="1"></div>
searchbox and textbox ¦ <div t role="searchbox" aria-label="a" tabindex="0"></div><div t role="textbox" aria-label="b" tabindex="0"></div>
inline roles ¦ <span t role="code">a</span><span t role="emphasis">b</span><span t role="strong">c</span><span t role="deletion">d</span><span t role="insertion">e</span><span t role="subscript">f</span><span t role="superscript">g</span><span t role="time">h</span><span t role="mark">i</span>
landmarks by role ¦ <div t role="banner">a</div><div t role="contentinfo">b</div><div t role="complementary">c</div><div t role="navigation">d</div><div t role="main">e</div><div t role="search">f</div><div t role="form" aria-label="g">g</div><div t role="region" aria-label="h">h</div>
form and region without a name ¦ <div t role="form">a</div><div t role="region">b</div>
alertdialog and dialog ¦ <div t role="alertdialog" aria-label="a">a</div><div t role="dialog" aria-label="b">b</div>
group, separator, figure ¦ <div t role="group" aria-label="a">a</div><div t role="separator"></div><div t role="figure" aria-label="c">c</div>
directory is a list ¦ <div t role="directory"><div role="listitem">a</div></div>
# role none and its conflicts
focusable div of role none ¦ <div t role="none" tabindex="0">x</div>
heading without its role ¦ <h2 t role="none">Title</h2>
focusable button keeps its role ¦ <button t role="none">Save</button>
disabled button may lose its role ¦ <button t role="none" disabled>Save</button>
focusable by tabindex keeps its role ¦ <h2 t role="none" tabindex="0">Title</h2>
global attribute keeps the role ¦ <h2 t role="none" aria-describedby="d">Title</h2><p id="d">d</p>
aria-label keeps the role ¦ <nav t role="none" aria-label="Site">x</nav>
aria-hidden=false does not ¦ <h2 t role="none" aria-hidden="false">Title</h2>
attribute that is not global does not ¦ <h2 t role="none" aria-level="3">Title</h2>
none and then another role ¦ <h2 t role="none button">Title</h2>
list item that is focusable in a list without its role ¦ <ul role="none"><li t tabindex="0">one</li></ul>
label on a paragraph does not ¦ <p t role="none" aria-label="x">one</p>
contenteditable keeps its role ¦ <h2 t role="none" contenteditable>Title</h2>
`;
