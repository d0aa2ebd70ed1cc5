/** Records of repeated parts, and of selectors. */
export const CARD_CASES = `
# repeated parts
cards by class names ¦ title price:number ¦ <ul><li class="card"><h3>A</h3><p class="price">€1</p></li><li class="card"><h3>B</h3><p class="price">€2</p></li></ul> ¦ A | €1 / B | €2 ¦ repeated
a hidden card ¦ title price:number ¦ <ul><li class="card"><h3>A</h3><p class="price">€1</p></li><li class="card"><h3>B</h3><p class="price">€2</p></li><li hidden class="card"><h3>C</h3><p class="price">€3</p></li></ul> ¦ A | €1 / B | €2 ¦ repeated
prices by their signs ¦ title price:number ¦ <div><div><h3>A</h3><span>$1.50</span></div><div><h3>B</h3><span>$2.50</span></div></div> ¦ A | $1.50 / B | $2.50 ¦ repeated
links and pictures ¦ title url:url image:url ¦ <div><article><a href="/a"><h3>A</h3></a><img src="/a.png"></article><article><a href="/b"><h3>B</h3></a><img src="/b.png"></article></div> ¦ A | http://page.test/a | http://page.test/a.png / B | http://page.test/b | http://page.test/b.png ¦ repeated
today’s price and not the old one ¦ title price:number ¦ <ul><li><h3>A</h3><s>$9</s><b>$1</b></li><li><h3>B</h3><s>$8</s><b>$2</b></li></ul> ¦ A | $1 / B | $2 ¦ repeated
a picture that waits to be loaded ¦ title image:url ¦ <ul><li><h3>A</h3><img src="data:image/gif;base64,AA" data-src="/a.png"></li><li><h3>B</h3><img src="data:image/gif;base64,AA" data-src="/b.png"></li></ul> ¦ A | http://page.test/a.png / B | http://page.test/b.png ¦ repeated
a date by its element ¦ title date:date ¦ <ul><li><h3>A</h3><time datetime="2020-01-01">a day</time></li><li><h3>B</h3><time datetime="2020-01-02">another</time></li></ul> ¦ A | 2020-01-01 / B | 2020-01-02 ¦ repeated
labels within the parts ¦ title colour ¦ <ul><li><h3>A</h3><span>Colour: red</span></li><li><h3>B</h3><span>Colour: blue</span></li></ul> ¦ A | red / B | blue ¦ repeated
tags of each card ¦ title tags:list ¦ <ul><li><h3>A</h3><i class="tag">x</i><i class="tag">y</i></li><li><h3>B</h3><i class="tag">z</i></li></ul> ¦ A | x; y / B | z ¦ repeated
nothing alike ¦ title price:number ¦ <p>a</p><div>b</div> ¦  ¦ repeated
# selectors
CSS of the first match ¦ title ¦ <h1>A</h1><h1>B</h1> ¦ A ¦ selectors one {"selectors":{"title":"h1"}}
an attribute ¦ title url:url ¦ <a href="/x" title="T">a</a> ¦ T | http://page.test/x ¦ selectors one {"selectors":{"title":{"selector":"a","attr":"title"},"url":"a"}}
all matches ¦ tags:list ¦ <i>a</i><i>b</i> ¦ a; b ¦ selectors one {"selectors":{"tags":{"selector":"i","multiple":true}}}
records around the matches ¦ title price:number ¦ <div><p><b>A</b><i>1</i></p><p><b>B</b></p></div> ¦ A | 1 / B | ¦ selectors {"selectors":{"title":"b","price":"i"}}
records that a scope names ¦ title ¦ <div><p>A</p><p>B</p></div> ¦ A / B ¦ selectors {"scope":"p","selectors":{"title":".//text()"}}
a secret ¦ title password ¦ <input type="password" value="s"><b>A</b> ¦ A | ¦ selectors one {"selectors":{"title":"b","password":{"selector":"input","attr":"value"}}}
a secret by XPath ¦ title password ¦ <input type="password" value="s"><b>A</b> ¦ A | ¦ selectors one {"selectors":{"title":"b","password":"//input/@value"}}
no CSS ¦ title ¦ <b>A</b> ¦ !selector_invalid: selectors.title: b[ is not a valid CSS selector. ¦ selectors one {"selectors":{"title":"b["}}
a scope that matches nothing ¦ title ¦ <b>A</b> ¦ !selector_not_found: scope: no element of http://page.test/ matches .x. ¦ one {"scope":".x"}
a field that no selector names is learnt ¦ title price:number ¦ <ul><li><b>A</b><p class="price">$1</p></li><li><b>B</b><p class="price">$2</p></li></ul> ¦ A | $1 / B | $2 ¦ selectors {"selectors":{"title":"b"}}
# a value is of its own record
the parts of each card ¦ title parts:parts ¦ <main>«<section class="kit"><h2>§</h2><div><div class="part"><b class="name">§ bolt</b><i class="price">$№</i></div><div class="part"><b class="name">§ nut</b><i class="price">$№0</i></div></div></section>»</main> ¦ «§ | § bolt $№; § nut $№0»
the only part of each card ¦ kit parts:parts ¦ <main>«<section><h2 class="kit">§</h2><ul><li class="part"><b class="name">§ bolt</b><i class="price">$№</i></li></ul></section>»</main> ¦ «§ | § bolt $№»
the parts of a record that a selector names ¦ title parts:parts ¦ <main>«<section><h2>§</h2><ul><li><b class="name">§ bolt</b><i class="price">$№</i></li><li><b class="name">§ nut</b><i class="price">$№0</i></li></ul></section>»</main> ¦ «§ | § bolt $№; § nut $№0» ¦ {"selectors":{"title":"h2"}}
three lines are one record ¦ name phone address ¦ <div>«<p><b>§ Lee</b></p><p>№ Elm Street</p><p>Phone: 555-010№</p><hr>»</div> ¦ «§ Lee | 555-010№ | № Elm Street»
rows that alternate are one record ¦ title url:url points:integer ¦ <table>«<tr class="thing"><td>№.</td><td><a href="/№">§ in the news</a></td></tr><tr><td></td><td><span class="points">№1 points</span> <b>new</b></td></tr>»</table> ¦ «§ in the news | http://page.test/№ | №1 points»
where other cards say it, a card says something else ¦ name address ¦ <ul><li><h3>A</h3><p>1 Elm Street</p></li><li><h3>B</h3><p>Moved away</p></li><li><h3>C</h3><p>3 Elm Street</p></li></ul> ¦ A | 1 Elm Street / B | / C | 3 Elm Street
the only card of a list ¦ title price:number ¦ <h1>1 result</h1><ul><li><h3><a href="/a">A</a></h3><span class="price">$1</span></li></ul> ¦ A | $1
the only card, by the class of its list ¦ title price:number ¦ <h1>Events</h1><div class="events"><div class="event"><h3>A</h3><span class="price">$1</span></div></div> ¦ A | $1
the only card that a scope names ¦ name price:number ¦ <div><div class="c"><h3>A</h3><b>$1</b></div></div> ¦ A | $1 ¦ {"scope":".c"}
a record that is the match of its selector ¦ name price:number ¦ <h3>A</h3><h3>B</h3><p class="price">$9</p> ¦ A | / B | ¦ selectors {"selectors":{"name":"h3"}}
# values
text that is hidden is not read ¦ title ¦ <h1>A<span hidden>B</span><script>C</script></h1> ¦ A ¦ selectors one {"selectors":{"title":"h1"}}
a control’s value ¦ title ¦ <select><option>a<option selected>b</select> ¦ b ¦ selectors one {"selectors":{"title":"select"}}
a check box ¦ done:boolean ¦ <input type="checkbox" checked> ¦ true ¦ selectors one {"selectors":{"done":"input"}}
markup without scripts and comments ¦ text ¦ <div><b>a</b><script>x</script><!-- c --></div> ¦ <b>a</b> ¦ selectors one {"selectors":{"text":{"selector":"div","type":"html"}}}
`;

/** Values that are evidence of a field, and values that are not. */
export const EVIDENCE_CASES = `
# contacts and selectors
the number that a link dials, where its text is a word ¦ phone ¦ <h1>A</h1><p class="phone"><a href="tel:+4930123456">Call us</a></p> ¦ +4930123456 ¦ one
the address of a mailto link without its subject ¦ email:email ¦ <h1>A</h1><p><a href="mailto:a%2Bb@c.example?subject=Hi">Write</a></p> ¦ a+b@c.example ¦ one
:scope in selectors is the record ¦ name ¦ <ul><li><b>A</b><p><b>x</b></p></li><li><b>B</b><p><b>y</b></p></li></ul> ¦ A / B ¦ selectors {"scope":"li","selectors":{"name":":scope > b"}}
# numbers of other things
how many rated is not a rating ¦ title rating:number ¦ <div><article><h3><a href="/1">A1</a></h3><div class="ratings"><span class="count">(11)</span></div></article><article><h3><a href="/2">A2</a></h3><div class="ratings"><span class="count">(12)</span></div></article></div> ¦ A1 |  / A2 |
stars in a label come before a count ¦ title rating:number ¦ <div><article><h3>A1</h3><div class="ratings"><i aria-label="4.1 out of 5 stars"></i><span>(11)</span></div></article><article><h3>A2</h3><div class="ratings"><i aria-label="4.2 out of 5 stars"></i><span>(12)</span></div></article></div> ¦ A1 | 4.1 out of 5 stars / A2 | 4.2 out of 5 stars
a picture of a price that is said next to it ¦ price:number ¦ <h1>A</h1><span class="offscreen">$21.99</span><span aria-hidden="true">$21<sup>99</sup></span> ¦ $21.99 ¦ one
a footnote ¦ founded:integer ¦ <h1>A</h1><dl><dt>Founded</dt><dd>1821<sup><a href="#n">[1]</a></sup></dd><dt>Mayor</dt><dd>B</dd></dl> ¦ 1821 ¦ one
the numbers of rows without a header ¦ kingdom animal ¦ <table><tr><td>1</td><td>Ant</td></tr><tr><td>2</td><td>Bee</td></tr></table> ¦  ¦ tables
# labels of a thing
a class whose last word is something else ¦ author ¦ <div><article><h4 class="username">ann1</h4><h5 class="userTitle">Member</h5><p>Text 1 of some length here.</p></article><article><h4 class="username">ann2</h4><h5 class="userTitle">Member</h5><p>Text 2 of some length here.</p></article></div> ¦ ann1 / ann2
headings above their values, next to the article ¦ license version ¦ <main><h1>A</h1><p>Trims text.</p><aside><div><h3>License</h3><p>MIT</p></div><div><h3>Version</h3><p>2.4</p></div></aside></main> ¦ MIT | 2.4 ¦ one
a word before a text ¦ doors venue ¦ <h1>A</h1><ul><li><span>Doors</span> 7:30 PM</li><li><span>Venue</span> The <a href="/v">Old Mill</a></li></ul> ¦ 7:30 PM | The Old Mill ¦ one
a bold line above its value ¦ due_date:date ¦ <h1>A</h1><div><strong>Due date</strong><br>13 April 2024</div> ¦ 13 April 2024 ¦ one
# values of something else
the rank that most cards show below a portrait is not an author ¦ title author ¦ <main><article><h3>Reply number 1</h3><div><img src="/a.png" alt=""><b>Members</b></div></article><article><h3>Reply number 2</h3><div><img src="/a.png" alt=""><b>Members</b></div></article><article><h3>Reply number 3</h3><div><img src="/a.png" alt=""><b>Members</b></div></article><article><h3>Reply number 4</h3><div><img src="/a.png" alt=""><b>Staff</b></div></article><article><h3>Reply number 5</h3><div><img src="/a.png" alt=""><b>Members</b></div></article><article><h3>Reply number 6</h3><div><img src="/a.png" alt=""><b>Members</b></div></article></main> ¦ Reply number 1 |  / Reply number 2 |  / Reply number 3 |  / Reply number 4 |  / Reply number 5 |  / Reply number 6 |
a class that only begins with a synonym says something about it ¦ title author_name ¦ <main>«<article><h3>Reply number №</h3><span class="author-pane-rank">Veteran №</span></article>»</main> ¦ «Reply number № |»
the link of an author is not that of the record ¦ title author url:url ¦ <main>«<section><h3>Release №.0 of June</h3><img class="avatar" src="/a№.png" alt=""><a href="/person-№">person-№</a></section>»</main> ¦ «Release №.0 of June | person-№ |»
a date is not a deadline, nor a price a deposit ¦ title url:url application_deadline:date deposit:number ¦ <main>«<article><h3><a href="/flat/№">Flat №</a></h3><time datetime="2024-05-0№">May</time><p>$№00</p></article>»</main> ¦ «Flat № | http://page.test/flat/№ |  |»
a rating is not a count of ratings ¦ title rating:rating ¦ <main>«<article><h3>Drill №</h3><p><span>4.№ (№8)</span></p></article>»</main> ¦ «Drill № |»
a price that a utility class strikes through is the old one ¦ title sale_price:number ¦ <main>«<article><h3>Watch №</h3><p><span class="line-through">$№99</span> <span>$№49</span></p></article>»</main> ¦ «Watch № | $№49»
# records of something else
cells of one grid that hold things of another kind ¦ event_name place ¦ <main><ol><li class="grid-item"><article class="event-teaser"><h3 class="event-teaser__title"><a href="/e/1">Event 1</a></h3><p class="place">Hall 1</p></article></li><li class="grid-item"><article class="event-teaser"><h3 class="event-teaser__title"><a href="/e/2">Event 2</a></h3><p class="place">Hall 2</p></article></li><li class="grid-item"><article class="event-teaser"><h3 class="event-teaser__title"><a href="/e/3">Event 3</a></h3><p class="place">Hall 3</p></article></li><li class="grid-item"><article class="event-teaser"><h3 class="event-teaser__title"><a href="/e/4">Event 4</a></h3><p class="place">Hall 4</p></article></li></ol><ol><li class="grid-item"><article class="news-teaser"><h3 class="news-teaser__title"><a href="/n/1">News 1</a></h3></article></li><li class="grid-item"><article class="news-teaser"><h3 class="news-teaser__title"><a href="/n/2">News 2</a></h3></article></li><li class="grid-item"><article class="news-teaser"><h3 class="news-teaser__title"><a href="/n/3">News 3</a></h3></article></li></ol></main> ¦ Event 1 | Hall 1 / Event 2 | Hall 2 / Event 3 | Hall 3 / Event 4 | Hall 4
`;

/** What sites write around a value, and where they leave its label out. */
export const SITE_CASES = `
# titles with something else
a site behind the link ¦ title ¦ <div>«<div class="row"><span class="titleline"><a href="/№">Story № of the day</a> <span>(<a href="/from">a.example</a>)</span></span></div>»</div> ¦ «Story № of the day»
a rank in an element of its own ¦ name ¦ <div>«<article><h3><span>№. </span><a href="/№">Place §</a></h3></article>»</div> ¦ «Place §»
a rank in the text of cards that count ¦ name ¦ <div>«<article><h3>№. §</h3><p>A tree.</p></article>»</div> ¦ Ash / Birch / Cedar
a number that does not count ¦ name ¦ <div><article><h3>10. Kirchberg</h3></article><article><h3>7. Hill</h3></article></div> ¦ 10. Kirchberg / 7. Hill
a count and the mark of a heading ¦ title ¦ <h1>Welcome<a href="#welcome">#</a></h1> ¦ Welcome ¦ one
the first text that differs in each card ¦ name price:number ¦ <div>«<div class="x9a"><p>Brand</p><p>§ table</p><p>$№0</p></div>»</div> ¦ «§ table | $№0»
# links of cards
an empty link over the card ¦ name url:url ¦ <div>«<div><a aria-hidden="true" href="/№"></a><h3>§</h3></div>»</div> ¦ «§ | http://page.test/№»
the address behind a labelled value ¦ author author_url:url ¦ <h1>A</h1><dl><dt>Author</dt><dd><a href="/a">Ada</a></dd><dt>Pages</dt><dd>3</dd></dl> ¦ Ada | http://page.test/a ¦ one
the link of a category, where categories are listed ¦ category category_url:url ¦ <div>«<li><a href="/№"><h2>§ <mark class="count">(№)</mark></h2></a></li>»</div> ¦ «§ | http://page.test/№»
# labels that sites shorten
tiles with an icon ¦ fuel transmission ¦ <h1>A</h1><div><div class="tile"><svg></svg><p>Fuel type</p><p>Petrol</p></div><div class="tile"><svg></svg><p>Gearbox</p><p>Manual</p></div></div> ¦ Petrol | Manual ¦ one
totals below a table ¦ total:number ¦ <h1>A</h1><table><thead><tr><th>What</th><th>Qty</th><th>Sum</th></tr></thead><tbody><tr><td>B</td><td>1</td><td>$4</td></tr></tbody><tfoot><tr><td colspan="2">Total</td><td>$4.40</td></tr></tfoot></table> ¦ $4.40 ¦ one
what a compound says of its thing ¦ invoice_number invoice_date:date due_date:date ¦ <h1>A</h1><div>Invoice #: X-17</div><div>Date: 9 February 2024</div><div>Due: 23 February 2024</div> ¦ X-17 | 9 February 2024 | 23 February 2024 ¦ one
a number and an author in a line ¦ issue_title issue_number:integer author ¦ <div>«<div class="issue"><h3><a href="/№">§ fails</a></h3><span class="opened-by">#№7 opened on <time datetime="2024-05-0№">May №</time> by <a href="/u№">mara-№</a></span></div>»</div> ¦ «§ fails | #№7 | mara-№»
the count of posts of an author is not the number of a post ¦ title post_number:integer ¦ <div>«<div class="post"><h3>§</h3><p>Text of §.</p><div>Posts: №01</div></div>»</div> ¦ «§ |»
# names that a schema makes of labels
compounds in the header of a table ¦ orderNumber customerName totalAmount:number isPaid:boolean ¦ <table><tr><th>Order</th><th>Customer</th><th>Total</th><th>Paid</th></tr><tr><td>S-1</td><td>Ada</td><td>$4</td><td>Yes</td></tr><tr><td>S-2</td><td>Bea</td><td>$5</td><td>No</td></tr></table> ¦ S-1 | Ada | $4 | Yes / S-2 | Bea | $5 | No
who does it, and for whom ¦ assignee requester ¦ <h1>A</h1><dl><dt>Assigned to</dt><dd>Tier 2</dd><dt>Requested by</dt><dd>Noor</dd></dl> ¦ Tier 2 | Noor ¦ one
two pairs of cells in each row, without headers ¦ product version severity votes:integer ¦ <h1>A</h1><table><tr><td><b>Product:</b></td><td>Pad</td><td><b>Version:</b></td><td>2.8</td></tr><tr><td><b>Severity:</b></td><td>major</td><td><b>Votes:</b></td><td>12</td></tr></table> ¦ Pad | 2.8 | major | 12 ¦ one
one of the values of an enumeration ¦ name level:level ¦ <div><article><h3>Ash</h3><span>10 seats</span><em>Easy</em></article><article><h3>Birch</h3><span>20 seats</span><em>Hard</em></article><article><h3>Cedar</h3><span>30 seats</span><em>Easy</em></article></div> ¦ Ash | Easy / Birch | Hard / Cedar | Easy
a number after the thing that it counts ¦ episode_title episode_number:integer ¦ <div>«<article><span>Episode №8</span><h3>§</h3></article>»</div> ¦ «§ | №8»
a colon in a sentence is not a label ¦ title release_date ¦ <div>«<article><h3><a href="/№">§</a></h3><p>Security release: please update.</p></article>»</div> ¦ «§ |»
what a link asks for is not a title ¦ product_name product_url:url ¦ <div>«<li><a href="/№"><span class="sr-only">View details for § saw</span></a><p>Brix</p><p>§ saw</p></li>»</div> ¦ «§ saw | http://page.test/№»
utility classes that two parts share ¦ name in_stock:boolean ¦ <div><li><h3>Ash</h3><p class="tiny upper">Brix</p><p class="tiny red">In stock</p></li><li><h3>Birch</h3><p class="tiny upper">Brix</p><p class="tiny green">In stock</p></li><li><h3>Cedar</h3><p class="tiny upper">Brix</p><p class="tiny green">In stock</p></li></div> ¦ Ash | In stock / Birch | In stock / Cedar | In stock
# places that only the cards together explain
numbers that count the cards ¦ rank:integer title author ¦ <table><tbody>«<tr><td>№</td><td><a href="/№">§</a></td></tr>»</tbody></table> ¦ «№ | § |»
the link next to a portrait ¦ title author ¦ <div>«<article><a href="/u/x№"><img src="/p.png" alt=""></a><div><a href="/u/x№">Ada §</a></div><h2><a href="/№">On §</a></h2></article>»</div> ¦ «On § | Ada §»
the link to where news comes from ¦ headline source ¦ <div>«<li><h4><a href="/n/№">§ opens</a></h4><div><em><a href="https://p№.example/x">§ Post</a></em></div></li>»</div> ¦ «§ opens | § Post»
`;
