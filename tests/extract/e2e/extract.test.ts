import { expect } from 'vitest';
import { planJob } from '../../../server/extract/job.ts';
import type { JsonValue } from '../../../shared/base/json.ts';
import { FIELD_TYPES, fieldsOf } from '../../support/extract-suite/case.ts';
import { openPageLab } from '../../support/page-lab/lab.ts';
import { squash, testTogether } from '../../dom/e2e/table.ts';

const TABLE_CASES = `
# tables
in a frame ¦ name age:integer ¦ <iframe srcdoc="<table><tr><th>Name<th>Age<tr><td>Ann<td>3</table>"></iframe> ¦ Ann | 3 ¦ tables
headers above ¦ name age:integer ¦ <table><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>3</td></tr><tr><td>Bob</td><td>4</td></tr></table> ¦ Ann | 3 / Bob | 4 ¦ tables
two rows of headers ¦ name age:integer ¦ <table><tr><th colspan="2">Person</th></tr><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>3</td></tr></table> ¦ Ann | 3 ¦ tables
headers down the side ¦ name age:integer ¦ <table><tr><th>Name</th><td>Ann</td><td>Bob</td></tr><tr><th>Age</th><td>3</td><td>4</td></tr></table> ¦ Ann | 3 / Bob | 4 ¦ tables
a hidden row and cell ¦ name age:integer ¦ <table><tr><th>Name</th><th>Age</th></tr><tr hidden><td>Ann</td><td>3</td></tr><tr><td hidden>Row 7</td><td>Bob</td><td>4</td></tr></table> ¦ Bob | 4 ¦ tables
two tables of the same kind ¦ name age:integer ¦ <table><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>3</td></tr></table><table><tr><th>Name</th><th>Age</th></tr><tr><td>Bob</td><td>4</td></tr></table> ¦ Ann | 3 / Bob | 4 ¦ tables
by roles ¦ name age:integer ¦ <div role="table"><div role="row"><span role="columnheader">Name</span><span role="columnheader">Age</span></div><div role="row"><span role="cell">Ann</span><span role="cell">3</span></div></div> ¦ Ann | 3 ¦ tables
numbered by a script ¦ name age:integer ¦ <div role="grid"><div role="row" aria-rowindex="1"><i role="columnheader" aria-colindex="2">Age</i><i role="columnheader" aria-colindex="1">Name</i></div><div role="row" aria-rowindex="3"><i role="gridcell" aria-colindex="1">Bob</i></div><div role="row" aria-rowindex="2"><i role="gridcell" aria-colindex="1">Ann</i><i role="gridcell" aria-colindex="2">3</i></div><div role="row" aria-rowindex="3"><i role="gridcell" aria-colindex="2">4</i></div></div> ¦ Ann | 3 / Bob | 4 ¦ tables
a missing cell ¦ name age:integer ¦ <table><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td></tr><tr><td>Bob</td><td>4</td></tr></table> ¦ Ann |  / Bob | 4 ¦ tables
without headers ¦ name age:integer ¦ <table><tr><td>Ann</td><td>3</td></tr><tr><td>Bob</td><td>4</td></tr></table> ¦ Ann | 3 / Bob | 4 ¦ tables
that lays out ¦ name age:integer ¦ <table role="presentation"><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>3</td></tr></table> ¦  ¦ tables
in a shadow tree ¦ name age:integer ¦ <div><template shadowrootmode="open"><table><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>3</td></tr></table></template></div> ¦ Ann | 3 ¦ tables
texts that style separates, and a number that it does not ¦ name price:number ¦ <style>i{display:block}p{display:flex}</style><table><tr><th>Name</th><th>Price</th></tr><tr><td><i>Ann</i><i>Berlin</i></td><td><p><b>29</b><b>.99</b></p></td></tr></table> ¦ Ann Berlin | 29.99 ¦ tables
a list in a cell ¦ name tags:list ¦ <table><tr><th>Name</th><th>Tags</th></tr><tr><td>Ann</td><td>a, b</td></tr><tr><td>Bob</td><td><ul><li>c</li><li>d</li></ul></td></tr></table> ¦ Ann | a; b / Bob | c; d ¦ tables
in pairs of rows without classes ¦ name price:number description ¦ <main><table>«<tr><td>§ desk</td><td>$№</td></tr><tr><td colspan="2"><p class="description">A desk of §.</p></td></tr>»</table></main> ¦ «§ desk | $№ | A desk of §.»
in pairs of rows under headers ¦ name price:number description ¦ <table><tr><th>Name</th><th>Price</th></tr>«<tr><td>§</td><td>$№</td></tr><tr><td colspan="2"><p class="description">A desk of §.</p></td></tr>»</table> ¦ «§ | $№ | A desk of §.»
a price next to its unit price ¦ title price:number ¦ <main>«<article><h3>§</h3><span class="price">№,99 € (№0,65 €/l)</span></article>»</main> ¦ «§ | №,99 € (№0,65 €/l)» ¦ repeated
sections of rows that differ in the classes of cells ¦ title price:number ¦ <table>«<tbody><tr><td class="title">§</td></tr><tr><td class="price">$№</td></tr></tbody>»</table> ¦ «§ | $№»
a section of rows each ¦ title author ¦ <table>«<tbody><tr><td rowspan="2"><img alt=""></td><td class="title">§ song</td></tr><tr><td><i class="author">Ann №</i></td></tr></tbody>»</table> ¦ «§ song | Ann №»
an address without a link ¦ name link:url ¦ <table><tr><th>Name</th><th>Link</th></tr><tr><td>Ann</td><td>/a/1</td></tr><tr><td>Bob</td><td>b.example/2</td></tr></table> ¦ Ann | http://page.test/a/1 / Bob | b.example/2 ¦ tables
a price without the one that is struck through ¦ name price:number ¦ <table><tr><th>Name</th><th>Price</th></tr><tr><td>Ann</td><td><del>$99</del> $79</td></tr><tr><td>Bob</td><td><span style="text-decoration:line-through">9 €</span> <b>7 €</b></td></tr></table> ¦ Ann | $79 / Bob | 7 € ¦ tables
# labels and values
a label before a bold value ¦ name weight ¦ <ul><li>Name: <b>Ann</b></li><li>Weight: <b>3 kg</b></li></ul> ¦ Ann | 3 kg ¦ definition_lists one
labels before bold values in one line ¦ name weight ¦ <p>Name: <b>Ann</b> Weight: <b>3 kg</b></p> ¦ Ann | 3 kg ¦ definition_lists one
groups in boxes ¦ name age:integer ¦ <dl><div><dt>Name</dt><dd>Ann</dd></div><div><dt>Age</dt><dd>3</dd></div></dl> ¦ Ann | 3 ¦ definition_lists one
a label of two names ¦ name age:integer ¦ <dl><dt>Title</dt><dt>Name</dt><dd>Ann</dd></dl> ¦ Ann | ¦ definition_lists one
several records in one list ¦ name age:integer ¦ <dl><dt>Name</dt><dd>Ann</dd><dt>Age</dt><dd>3</dd><dt>Name</dt><dd>Bob</dd><dt>Age</dt><dd>4</dd></dl> ¦ Ann | 3 / Bob | 4 ¦ definition_lists
no secrets of a form ¦ name password ¦ <label>Name <input value="Ann"></label><label>Password <input type="password" value="s"></label> ¦ Ann | ¦ definition_lists one
lines with labels ¦ name age:integer ¦ <p><b>Name:</b> Ann</p><p><b>Age:</b> 3<i style="display:block">Rank: 9</i></p> ¦ Ann | 3 ¦ definition_lists one
a hidden value ¦ name age:integer ¦ <dl><dt>Name</dt><dd>Ann</dd><dt>Age</dt><dd hidden>3</dd></dl> ¦ Ann | ¦ definition_lists one
`;

const MACHINE_CASES = `
# JSON-LD
a list of items ¦ name price:number ¦ <script type="application/ld+json">{"@type":"ItemList","itemListElement":[{"@type":"ListItem","position":1,"item":{"@type":"Product","name":"A","price":1}},{"@type":"ListItem","position":2,"item":{"@type":"Product","name":"B","price":2}}]}</script> ¦ A | 1 / B | 2 ¦ json_ld
an offer within, and text escaped for HTML ¦ name price:number ¦ <script type="application/ld+json">{"@type":"Product","name":"Salt &amp; Ann&#8217;s","offers":{"@type":"Offer","price":"5.00"}}</script> ¦ Salt & Ann’s | 5.00 ¦ json_ld one
a reference ¦ name price:number ¦ <script type="application/ld+json">{"@graph":[{"@type":"Product","name":"Mill","offers":{"@id":"#o"}},{"@id":"#o","@type":"Offer","price":5}]}</script> ¦ Mill | 5 ¦ json_ld one
several things ¦ name price:number ¦ <script type="application/ld+json">[{"@type":"Product","name":"A","price":1},{"@type":"Product","name":"B","price":2}]</script> ¦ A | 1 / B | 2 ¦ json_ld
two objects in one script ¦ name price:number ¦ <script type="application/ld+json">{"@type":"Organization","name":"Ann"}
{"@type":"Product","name":"A","price":1}</script> ¦ A | 1 ¦ json_ld one
invalid JSON ¦ name price:number ¦ <script type="application/ld+json">{</script> ¦  ¦ json_ld one
the name of an author is not the name of the work ¦ headline author ¦ <script type="application/ld+json">{"@type":"Article","headline":"Mills","author":{"@type":"Person","name":"Ann"}}</script> ¦ Mills | Ann ¦ json_ld one
# microdata
an item ¦ name price:number image:url ¦ <div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Mill</b><data itemprop="price" value="5">five</data><img itemprop="image" src="data:," data-src="/m.png"></div> ¦ Mill | 5 | http://page.test/m.png ¦ microdata one
an item in an item ¦ name price:number ¦ <div itemscope><b itemprop="name">Mill</b><div itemprop="offers" itemscope><i itemprop="price">5</i></div></div> ¦ Mill | 5 ¦ microdata one
the address of an item is its id ¦ name url:url ¦ <div itemscope itemid="/p/7"><b itemprop="name">Mill</b></div> ¦ Mill | http://page.test/p/7 ¦ microdata one
a reference to itself ¦ name price:number ¦ <div id="d" itemscope itemref="d"><b itemprop="name">Mill</b><i itemprop="price">5</i></div> ¦ Mill | 5 ¦ microdata one
# RDFa
a thing ¦ name price:number ¦ <div vocab="https://schema.org/" typeof="Product"><b property="name">Mill</b><i property="price" content="5">five</i></div> ¦ Mill | 5 ¦ rdfa one
# head of the page
Open Graph ¦ title price:number ¦ <meta property="og:title" content="Mill"><meta property="product:price:amount" content="5"> ¦ Mill | 5 ¦ meta one
title and canonical address ¦ title url:url ¦ <title>Mill</title><link rel="canonical" href="/m"> ¦ Mill | http://page.test/m ¦ meta one
# one record from several places
gaps are filled ¦ name price:number ¦ <script type="application/ld+json">{"@type":"Product","name":"Mill"}</script><meta property="product:price:amount" content="5"> ¦ Mill | 5 ¦ json_ld,meta one
`;

const CARD_CASES = `
# repeated parts
cards by class names ¦ title price:number ¦ <ul><li class="card"><h3>A</h3><p class="price">€1</p></li><li class="card"><h3>B</h3><p class="price">€2</p></li></ul> ¦ A | €1 / B | €2 ¦ repeated
names that forms and objects have ¦ title price:number constructor ¦ <main><form>«<div class="card"><h3>§</h3><p class="price">€№</p></div>»<input name="children"><input name="contains"><input name="closest"><input name="matches"><input name="body"></form></main> ¦ «§ | €№ |» ¦ repeated
a hidden card ¦ title price:number ¦ <ul><li class="card"><h3>A</h3><p class="price">€1</p></li><li class="card"><h3>B</h3><p class="price">€2</p></li><li hidden class="card"><h3>C</h3><p class="price">€3</p></li></ul> ¦ A | €1 / B | €2 ¦ repeated
prices by their signs and words ¦ title price:number ¦ <div><div><h3>A</h3><span>$1.50</span></div><div><h3>B</h3><span>2,50 zł</span></div></div> ¦ A | $1.50 / B | 2,50 zł ¦ repeated
links and pictures ¦ title url:url image:url ¦ <div><article><a href="/a?é"><h3>A</h3></a><img src="/a.png"></article><article><a href="/b"><h3>B</h3></a><picture><source srcset="/b.webp 2x"><img src="/b.png"></picture></article><article><a href="/c"><h3>C</h3></a><img srcset=" ,/w_4,h_3/c.webp 400w, /c.webp"></article></div> ¦ A | http://page.test/a?%E9 | http://page.test/a.png / B | http://page.test/b | http://page.test/b.png / C | http://page.test/c | http://page.test/w_4,h_3/c.webp ¦ repeated
small cents before the sign ¦ title price:number ¦ <main>«<article><h3>Drill №</h3><p class="price">№9<sup>99</sup> <i>€</i></p></article>»</main> ¦ «Drill № | №9.99 €» ¦ repeated
small cents after a comma ¦ title price:number ¦ <main>«<article><h3>Drill №</h3><p class="price">€№9,<sup>99</sup></p></article>»</main> ¦ «Drill № | €№9,99» ¦ repeated
today’s price and not the old one ¦ title price:number ¦ <ul><li><h3>A</h3><s>$9</s><b>$1</b></li><li><h3>B</h3><s>$8</s><b>$2</b></li></ul> ¦ A | $1 / B | $2 ¦ repeated
a date by its element ¦ title date:date ¦ <ul><li><h3>A</h3><time datetime="2020-01-01">a day</time></li><li><h3>B</h3><time datetime="2020-01-02">another</time></li></ul> ¦ A | 2020-01-01 / B | 2020-01-02 ¦ repeated
tags of each card ¦ title tags:list ¦ <ul><li><h3>A</h3><i class="tag">x</i><i class="tag">y</i></li><li><h3>B</h3><i class="tag">z</i></li></ul> ¦ A | x; y / B | z ¦ repeated
replies in replies ¦ author text ¦ <div id="c">«<div class="reply"><b class="author">§</b><p>The text of §.</p><div class="inner"><div class="reply"><b class="author">Not §</b><p>Against the text of §.</p></div></div></div>»</div> ¦ «§ | The text of §. / Not § | Against the text of §.» ¦ repeated
replies with one more class ¦ author text ¦ <div id="c">«<div class="note"><b class="author">§</b><p>The text of §.</p><div class="note answer"><b class="author">Not §</b><p>Against the text of §.</p></div></div>»</div> ¦ «§ | The text of §. / Not § | Against the text of §.» ¦ repeated
versions directly in the page, below its heading ¦ version changes:list ¦ <h1>Changes</h1>«<h2>2.№.0 (2024-03-0№)</h2><ul><li>More §</li><li>Less §</li></ul>» ¦ «2.№.0 | More §; Less §» ¦ repeated
a version and its date in one heading ¦ version date:date changes:list ¦ <main>«<h2>2.№.0 - 2024-03-0№</h2><ul><li>More §</li><li>Less §</li></ul>»</main> ¦ «2.№.0 | 2024-03-0№ | More §; Less §» ¦ repeated
the only card, without a list ¦ title price:number ¦ <h1>Search</h1><div><div><a href="/k"><img alt=""></a><h2><a href="/k">Kettle</a></h2><span>$39.90</span></div></div> ¦ Kettle | $39.90 ¦ repeated
# selectors
CSS of the first match ¦ title ¦ <h1>A</h1><h1>B</h1> ¦ A ¦ selectors one {"selectors":{"title":"h1"}}
all matches ¦ tags:list ¦ <i>a</i><i>b</i> ¦ a; b ¦ selectors one {"selectors":{"tags":{"selector":"i","multiple":true}}}
records around the matches ¦ title price:number ¦ <div><p><b>A</b><i>1</i></p><p><b>B</b></p></div> ¦ A | 1 / B | ¦ selectors {"selectors":{"title":"b","price":"i"}}
a secret ¦ title password ¦ <input type="password" value="s"><b>A</b> ¦ A | ¦ selectors one {"selectors":{"title":"b","password":{"selector":"input","attr":"value"}}}
a secret by XPath ¦ title password ¦ <input type="password" value="s"><b>A</b> ¦ A | ¦ selectors one {"selectors":{"title":"b","password":"//input/@value"}}
a scope that matches nothing ¦ title ¦ <b>A</b> ¦ !selector_not_found: scope: no element of http://page.test/ matches .x. ¦ one {"scope":".x"}
a field that no selector names is learnt ¦ title price:number ¦ <ul><li><b>A</b><p class="price">$1</p></li><li><b>B</b><p class="price">$2</p></li></ul> ¦ A | $1 / B | $2 ¦ selectors {"selectors":{"title":"b"}}
# a value is of its own record
the parts of each card ¦ title parts:parts ¦ <main>«<section class="kit"><h2>§</h2><div><div class="part"><b class="name">§ bolt</b><i class="price">$№</i></div><div class="part"><b class="name">§ nut</b><i class="price">$№0</i></div></div></section>»</main> ¦ «§ | § bolt $№; § nut $№0»
the only part of each card ¦ kit parts:parts ¦ <main>«<section><h2 class="kit">§</h2><ul><li class="part"><b class="name">§ bolt</b><i class="price">$№</i></li></ul></section>»</main> ¦ «§ | § bolt $№»
three lines are one record ¦ name phone address ¦ <div>«<p><b>§ Lee</b></p><p>№ Elm Street</p><p>Phone: 555-010№</p><hr>»</div> ¦ «§ Lee | 555-010№ | № Elm Street»
where other cards say it, a card says something else ¦ name address ¦ <ul><li><h3>A</h3><p>1 Elm Street</p></li><li><h3>B</h3><p>Moved away</p></li><li><h3>C</h3><p>3 Elm Street</p></li></ul> ¦ A | 1 Elm Street / B | / C | 3 Elm Street
the only card of a list ¦ title price:number ¦ <h1>1 result</h1><ul><li><h3><a href="/a">A</a></h3><span class="price">$1</span></li></ul> ¦ A | $1
the only card that a scope names ¦ name price:number ¦ <div><div class="c"><h3>A</h3><b>$1</b></div></div> ¦ A | $1 ¦ {"scope":".c"}
# values
text that is hidden is not read ¦ title ¦ <h1>A<span hidden>B</span><script>C</script></h1> ¦ A ¦ selectors one {"selectors":{"title":"h1"}}
a control’s value ¦ title ¦ <select><option>a<option selected>b</select> ¦ b ¦ selectors one {"selectors":{"title":"select"}}
markup without scripts and comments ¦ text ¦ <div><b>a</b><script>x</script><!-- c --></div> ¦ <b>a</b> ¦ selectors one {"selectors":{"text":{"selector":"div","type":"html"}}}
`;

/** Values that are evidence of a field, and values that are not. */
const EVIDENCE_CASES = `
# contacts and selectors
the number that a link dials, where its text is a word ¦ phone ¦ <h1>A</h1><p class="phone"><a href="tel:+4930123456">Call us</a></p> ¦ +4930123456 ¦ one
the address of a mailto link without its subject ¦ email:email ¦ <h1>A</h1><p><a href="mailto:a%2Bb@c.example?subject=Hi">Write</a></p> ¦ a+b@c.example ¦ one
# numbers of other things
how many rated is not a rating ¦ title rating:number ¦ <div><article><h3><a href="/1">A1</a></h3><div class="ratings"><span class="count">(11)</span></div></article><article><h3><a href="/2">A2</a></h3><div class="ratings"><span class="count">(12)</span></div></article></div> ¦ A1 |  / A2 |
stars in a label come before a count ¦ title rating:number ¦ <div><article><h3>A1</h3><div class="ratings"><i aria-label="4.1 out of 5 stars"></i><span>(11)</span></div></article><article><h3>A2</h3><div class="ratings"><i aria-label="4.2 out of 5 stars"></i><span>(12)</span></div></article></div> ¦ A1 | 4.1 out of 5 stars / A2 | 4.2 out of 5 stars
a footnote ¦ founded:integer ¦ <h1>A</h1><dl><dt>Founded</dt><dd>1821<sup><a href="#n">[1]</a></sup></dd><dt>Mayor</dt><dd>B</dd></dl> ¦ 1821 ¦ one
# labels of a thing
headings above their values, next to the article ¦ license version ¦ <main><h1>A</h1><p>Trims text.</p><aside><div><h3>License</h3><p>MIT</p></div><div><h3>Version</h3><p>2.4</p></div></aside></main> ¦ MIT | 2.4 ¦ one
# values of something else
the rank that most cards show below a portrait is not an author ¦ title author ¦ <main><article><h3>Reply number 1</h3><div><img src="/a.png" alt=""><b>Members</b></div></article><article><h3>Reply number 2</h3><div><img src="/a.png" alt=""><b>Members</b></div></article><article><h3>Reply number 3</h3><div><img src="/a.png" alt=""><b>Members</b></div></article><article><h3>Reply number 4</h3><div><img src="/a.png" alt=""><b>Staff</b></div></article><article><h3>Reply number 5</h3><div><img src="/a.png" alt=""><b>Members</b></div></article><article><h3>Reply number 6</h3><div><img src="/a.png" alt=""><b>Members</b></div></article></main> ¦ Reply number 1 |  / Reply number 2 |  / Reply number 3 |  / Reply number 4 |  / Reply number 5 |  / Reply number 6 |
the link of an author is not that of the record ¦ title author url:url ¦ <main>«<section><h3>Release №.0 of June</h3><img class="avatar" src="/a№.png" alt=""><a href="/person-№">person-№</a></section>»</main> ¦ «Release №.0 of June | person-№ |»
a rating is not a count of ratings ¦ title rating:rating ¦ <main>«<article><h3>Drill №</h3><p><span>4.№ (№8)</span></p></article>»</main> ¦ «Drill № |»
a price that a utility class strikes through is the old one ¦ title sale_price:number ¦ <main>«<article><h3>Watch №</h3><p><span class="line-through">$№99</span> <span>$№49</span></p></article>»</main> ¦ «Watch № | $№49»
`;

const SITE_CASES = `
# titles with something else
a site behind the link ¦ title ¦ <div>«<div class="row"><span class="titleline"><a href="/№">Story № of the day</a> <span>(<a href="/from">a.example</a>)</span></span></div>»</div> ¦ «Story № of the day»
a rank in the text of cards that count ¦ name ¦ <div>«<article><h3>№. §</h3><p>A tree.</p></article>»</div> ¦ Ash / Birch / Cedar
a count and the mark of a heading ¦ title ¦ <h1>Welcome<a href="#welcome">#</a></h1> ¦ Welcome ¦ one
# links of cards
an empty link over the card ¦ name url:url ¦ <div>«<div><a aria-hidden="true" href="/№"></a><h3>§</h3></div>»</div> ¦ «§ | http://page.test/№»
the link of a category, where categories are listed ¦ category category_url:url ¦ <div>«<li><a href="/№"><h2>§ <mark class="count">(№)</mark></h2></a></li>»</div> ¦ «§ | http://page.test/№»
# labels that sites shorten
what a compound says of its thing ¦ invoice_number invoice_date:date due_date:date ¦ <h1>A</h1><div>Invoice #: X-17</div><div>Date: 9 February 2024</div><div>Due: 23 February 2024</div> ¦ X-17 | 9 February 2024 | 23 February 2024 ¦ one
the count of posts of an author is not the number of a post ¦ title post_number:integer ¦ <div>«<div class="post"><h3>§</h3><p>Text of §.</p><div>Posts: №01</div></div>»</div> ¦ «§ |»
# names that a schema makes of labels
compounds in the header of a table ¦ orderNumber customerName totalAmount:number isPaid:boolean ¦ <table><tr><th>Order</th><th>Customer</th><th>Total</th><th>Paid</th></tr><tr><td>S-1</td><td>Ada</td><td>$4</td><td>Yes</td></tr><tr><td>S-2</td><td>Bea</td><td>$5</td><td>No</td></tr></table> ¦ S-1 | Ada | $4 | Yes / S-2 | Bea | $5 | No
one of the values of an enumeration ¦ name level:level ¦ <div><article><h3>Ash</h3><span>10 seats</span><em>Easy</em></article><article><h3>Birch</h3><span>20 seats</span><em>Hard</em></article><article><h3>Cedar</h3><span>30 seats</span><em>Easy</em></article></div> ¦ Ash | Easy / Birch | Hard / Cedar | Easy
a colon in a sentence is not a label ¦ title release_date ¦ <div>«<article><h3><a href="/№">§</a></h3><p>Security release: please update.</p></article>»</div> ¦ «§ |»
# places that only the cards together explain
numbers that count the cards ¦ rank:integer title author ¦ <table><tbody>«<tr><td>№</td><td><a href="/№">§</a></td></tr>»</tbody></table> ¦ «№ | § |»
the link to where news comes from ¦ headline source ¦ <div>«<li><h4><a href="/n/№">§ opens</a></h4><div><em><a href="https://p№.example/x">§ Post</a></em></div></li>»</div> ¦ «§ opens | § Post»
`;

/**
 * Records of small pages. A case has the fields, a page, its records before coercion, parted by ` / ` and each value by ` | `, or an error
 * after `!`, and what is asked for: strategies, one record, and other options. What `«»` enclose is there three times, with numbers as
 * `№` and words as `§`.
 */
const lab = await openPageLab();
const NUMBER = { type: 'number' };
const TYPES = {
  ...FIELD_TYPES,
  offer: { type: 'object', properties: { price: NUMBER, currency: { type: 'string' } } },
  rating: { type: 'object', properties: { value: NUMBER, count: { type: 'integer' } } },
  parts: {
    type: 'array',
    items: { type: 'object', properties: { name: { type: 'string' }, price: NUMBER } },
  },
  level: { type: 'string', enum: ['Easy', 'Hard'] },
};
const WORDS = ['Ash', 'Birch', 'Cedar'];

const thrice = (cell: string, between: string): string =>
  cell.replace(/«(.*)»/, (_all, one: string) =>
    WORDS.map((word, at) => one.replaceAll('№', String(at + 1)).replaceAll('§', word)).join(between),
  );

function sayValue(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return value.map(sayValue).join('; ');
  if (typeof value === 'object' && value !== null) return Object.values(value).map(sayValue).join(' ');
  return String(value ?? '');
}

function jobOf(names: string, asked: string): ReturnType<typeof planJob> {
  const properties = Object.fromEntries(
    Object.entries(fieldsOf(names.split(' '), TYPES)).map(([name, field]) => [
      name,
      typeof field === 'string' ? { type: field } : field,
    ]),
  );
  const [options = '{}'] = /\{.*\}/.exec(asked) ?? [];
  const words = asked.replace(options, '').trim().split(' ');
  const strategies = words.find((word) => word !== '' && word !== 'one');
  return planJob({
    schema: { type: 'object', properties },
    multiple: !words.includes('one'),
    explain: false,
    ...(strategies !== undefined && { strategies: strategies.split(',') }),
    ...JSON.parse(options),
  });
}

for (const cases of [TABLE_CASES, MACHINE_CASES, CARD_CASES, EVIDENCE_CASES, SITE_CASES])
  testTogether(
    'records',
    cases,
    (all) =>
      lab.call(
        'extractEach',
        all.map(
          ([names = '', html = '', , asked = '']) => [thrice(html, ''), jobOf(names, asked).request] as const,
        ),
      ),
    (found, names = '', _html, expected = '') => {
      const lineOf = (record: Readonly<Record<string, JsonValue>>): string =>
        names
          .split(' ')
          .map((name) => sayValue(new Map(Object.entries(record)).get(name.replace(/:.*/, ''))))
          .join(' | ');
      const records = typeof found === 'string' ? `!${found}` : found.map(lineOf).join(' / ');
      expect(squash(records)).toBe(squash(thrice(expected, ' / ')));
    },
  );
