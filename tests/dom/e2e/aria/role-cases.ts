/** Elements with a role of their own, unnamed and named, and roles that attributes give or take. Those with a `t` attribute are computed. */
export const ROLE_CASES = `
# text-level elements
a with an address and without ¦ <a t href="/x">Link</a><a t>Anchor</a>
code, del, ins, em, strong, sub, sup ¦ <p><code t>x = 1</code> <del t>old</del> <ins t>new</ins> <em t>soft</em> <strong t>loud</strong> H<sub t>2</sub>O x<sup t>2</sup></p>
# blocks and sections
p, blockquote, hr ¦ <p t>Paragraph</p><blockquote t>Quote</blockquote><hr t>
hgroup ¦ <hgroup t><h1 t>Title</h1><p>Tagline</p></hgroup>
headings of every level ¦ <h1 t>1</h1><h2 t>2</h2><h3 t>3</h3><h4 t>4</h4><h5 t>5</h5><h6 t>6</h6>
article without a name ¦ <article t>News</article>
section without a name ¦ <section t><h2>Part</h2></section>
section with aria-label ¦ <section t aria-label="Part one">x</section>
section with a title ¦ <section t title="Hint">x</section>
form without a name, and with one ¦ <form t><input></form><form t aria-label="Sign in"><input></form>
search, main, nav ¦ <search t><input></search><main t>Main</main><nav t>Menu</nav>
figure with a caption ¦ <figure t><img alt="Mill" src="data:,"><figcaption t>A mill</figcaption></figure>
# landmarks inside sections
header and footer of the page ¦ <header t>Top</header><footer t>Bottom</footer>
of an article ¦ <article><header t>Top</header><footer t>Bottom</footer></article>
of a section without a name ¦ <section><header t>Top</header><footer t>Bottom</footer></section>
of an article by role ¦ <div role="article"><header t>Top</header></div>
of a region by role ¦ <div role="region" aria-label="R"><header t>Top</header></div>
aside of the page ¦ <aside t>Related</aside>
aside without a name in an article ¦ <article><aside t>Related</aside></article>
# lists and definitions
ul and li ¦ <ul t><li t>one</li><li t>two</li></ul>
li outside of a list ¦ <div><li t>alone</li></div>
li of a list without its role ¦ <ul role="none"><li t>one</li></ul>
dl ¦ <dl t><dt t>Term</dt><dd t>Meaning</dd></dl>
list by roles ¦ <div t role="list"><div t role="listitem">one</div></div>
# tables
rows and cells ¦ <table t><thead t><tr t><th t>Name</th><th t>Age</th></tr></thead><tbody t><tr><td t>Ann</td><td t>3</td></tr></tbody><tfoot t><tr><td>sum</td><td>3</td></tr></tfoot></table>
caption is the name ¦ <table t><caption t>Prices</caption><tr><th>a</th></tr><tr><td>1</td></tr></table>
scope of headers ¦ <table><tr><th t scope="col">Name</th><th t scope="col">Age</th></tr><tr><th t scope="row">Ann</th><td>3</td></tr></table>
header in the first column ¦ <table><tr><th t>Ann</th><td>3</td></tr><tr><th t>Bob</th><td>4</td></tr></table>
headers next to data in a head ¦ <table><thead><tr><th t>Name</th><td>note</td></tr></thead><tr><td>Ann</td><td>3</td></tr></table>
headers next to an empty corner ¦ <table><tr><td></td><th t>Mon</th><th t>Tue</th></tr><tr><th t>Ann</th><td>3</td><td>4</td></tr></table>
aria-label over caption ¦ <table t aria-label="Own"><caption>Caption</caption><tr><th>a</th></tr><tr><td>1</td></tr></table>
grid and treegrid ¦ <table t role="grid" aria-label="G"><tr t><td t>x</td></tr><tr><td>y</td></tr></table><table t role="treegrid" aria-label="G"><tr t><td t>x</td></tr><tr><td>y</td></tr></table>
# pictures and media
img with alt ¦ <img t alt="Mill" src="data:,">
img without alt ¦ <img t src="data:,">
img with empty alt ¦ <img t alt="" src="data:,">
img with empty alt and a title ¦ <img t alt="" title="Mill" src="data:,">
img with empty alt and aria-label ¦ <img t alt="" aria-label="Mill" src="data:,">
img of role none ¦ <img t role="none" alt="Alt" src="data:,">
div of role img ¦ <div t role="img" aria-label="Stars">*****</div>
svg with a title ¦ <svg t width="9" height="9"><title>Sail</title><rect width="9" height="9"/></svg>
svg of role img with a title ¦ <svg t role="img" width="9" height="9"><title>Sail</title><rect width="9" height="9"/></svg>
svg with aria-label ¦ <svg t aria-label="Wing" width="9" height="9"><rect width="9" height="9"/></svg>
svg link ¦ <svg width="50" height="20"><a t href="/x"><text y="10">Go</text></a></svg>
canvas ¦ <canvas t aria-label="Chart"></canvas>
video and audio ¦ <video t controls aria-label="Film"></video><audio t controls></audio>
math ¦ <math t><mi>x</mi></math>
# widgets
button of type submit without text ¦ <button t type="submit"></button>
summary and details ¦ <details t open><summary t>More</summary>text</details>
inputs of text ¦ <input t aria-label="a"><input t type="text" aria-label="b"><input t type="email" aria-label="c"><input t type="tel" aria-label="d"><input t type="url" aria-label="e"><input t type="search" aria-label="f"><input t type="unknown" aria-label="g">
inputs with a list ¦ <input t list="l" aria-label="a"><input t type="email" list="l" aria-label="b"><input t type="tel" list="l" aria-label="c"><input t type="url" list="l" aria-label="d"><input t type="search" list="l" aria-label="e"><datalist id="l"><option>x</option></datalist>
number with a list ¦ <input t type="number" list="l" aria-label="a"><datalist id="l"><option>1</option></datalist>
inputs that are not text ¦ <input t type="checkbox" aria-label="a"><input t type="radio" aria-label="b"><input t type="range" aria-label="c"><input t type="number" aria-label="d"><input t type="color" aria-label="e"><input t type="file" aria-label="f">
inputs that are buttons ¦ <input t type="button" value="Go"><input t type="submit" value="Send"><input t type="reset" value="Clear"><input t type="image" alt="Find" src="data:,">
check box as a switch ¦ <input t type="checkbox" role="switch" aria-label="Dark">
select ¦ <select t aria-label="a"><option t>x</option></select>
select of several ¦ <select t multiple aria-label="a"><option t>x</option></select>
output ¦ <output t>3</output>
meter and progress ¦ <meter t value="0.5" aria-label="a"></meter><progress t value="0.5" aria-label="b"></progress>
fieldset ¦ <fieldset t><legend t>Name</legend><input></fieldset>
contenteditable ¦ <div t contenteditable aria-label="Note">x</div>
# roles given
first known role counts ¦ <div t role="unknown button">x</div>
first landmark with a name counts ¦ <nav t role="region group">x</nav><nav t role="region group" aria-label="R">x</nav>
unknown alone, and abstract ¦ <nav t role="unknown">x</nav><nav t role="widget">x</nav>
button on a link ¦ <a t href="/x" role="button">Act</a>
tabs ¦ <div t role="tablist"><button t role="tab" aria-selected="true">One</button></div><div t role="tabpanel" aria-label="One">x</div>
menu ¦ <div t role="menubar"><div t role="menuitem">File</div></div><div t role="menu"><div t role="menuitemcheckbox" aria-checked="true">Bold</div><div t role="menuitemradio" aria-checked="false">Left</div></div>
listbox ¦ <div t role="listbox" aria-label="L"><div t role="option">One</div></div>
combobox ¦ <div t role="combobox" aria-label="C" aria-expanded="false" tabindex="0">x</div>
live regions ¦ <div t role="alert">a</div><div t role="status">b</div><div t role="log">c</div><div t role="timer">d</div><div t role="marquee">e</div>
documents ¦ <div t role="document">a</div><div t role="application" aria-label="b">b</div><div t role="feed"><article t>c</article></div>
range widgets ¦ <div t role="slider" aria-label="a" aria-valuenow="1" tabindex="0"></div><div t role="spinbutton" aria-label="b" aria-valuenow="1"></div><div t role="scrollbar" aria-label="c" aria-valuenow="1" aria-controls="x"></div><div t role="progressbar" aria-label="d" aria-valuenow="1"></div><div t role="meter" aria-label="e" aria-valuenow="1"></div>
searchbox and textbox ¦ <div t role="searchbox" aria-label="a" tabindex="0"></div><div t role="textbox" aria-label="b" tabindex="0"></div>
landmarks by role ¦ <div t role="banner">a</div><div t role="contentinfo">b</div><div t role="complementary">c</div><div t role="navigation">d</div><div t role="main">e</div><div t role="search">f</div><div t role="form" aria-label="g">g</div><div t role="region" aria-label="h">h</div>
directory is a list ¦ <div t role="directory"><div role="listitem">a</div></div>
# role none and its conflicts
focusable div of role none ¦ <div t role="none" tabindex="0">x</div>
heading without its role ¦ <h2 t role="none">Title</h2>
focusable button keeps its role ¦ <button t role="none">Save</button>
focusable by tabindex keeps its role ¦ <h2 t role="none" tabindex="0">Title</h2>
aria-label keeps the role ¦ <nav t role="none" aria-label="Site">x</nav>
label on a paragraph does not ¦ <p t role="none" aria-label="x">one</p>
contenteditable keeps its role ¦ <h2 t role="none" contenteditable>Title</h2>
`;
