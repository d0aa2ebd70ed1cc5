/** Records of tables and of labels with values. */
export const TABLE_CASES = `
# tables
in a frame ¦ name age:integer ¦ <iframe srcdoc="<table><tr><th>Name<th>Age<tr><td>Ann<td>3</table>"></iframe> ¦ Ann | 3 ¦ tables
headers above ¦ name age:integer ¦ <table><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>3</td></tr><tr><td>Bob</td><td>4</td></tr></table> ¦ Ann | 3 / Bob | 4 ¦ tables
two rows of headers ¦ name age:integer ¦ <table><tr><th colspan="2">Person</th></tr><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>3</td></tr></table> ¦ Ann | 3 ¦ tables
headers down the side ¦ name age:integer ¦ <table><tr><th>Name</th><td>Ann</td><td>Bob</td></tr><tr><th>Age</th><td>3</td><td>4</td></tr></table> ¦ Ann | 3 / Bob | 4 ¦ tables
a hidden row ¦ name age:integer ¦ <table><tr><th>Name</th><th>Age</th></tr><tr hidden><td>Ann</td><td>3</td></tr><tr><td>Bob</td><td>4</td></tr></table> ¦ Bob | 4 ¦ tables
two tables of the same kind ¦ name age:integer ¦ <table><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>3</td></tr></table><table><tr><th>Name</th><th>Age</th></tr><tr><td>Bob</td><td>4</td></tr></table> ¦ Ann | 3 / Bob | 4 ¦ tables
by roles ¦ name age:integer ¦ <div role="table"><div role="row"><span role="columnheader">Name</span><span role="columnheader">Age</span></div><div role="row"><span role="cell">Ann</span><span role="cell">3</span></div></div> ¦ Ann | 3 ¦ tables
a missing cell ¦ name age:integer ¦ <table><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td></tr><tr><td>Bob</td><td>4</td></tr></table> ¦ Ann |  / Bob | 4 ¦ tables
without headers ¦ name age:integer ¦ <table><tr><td>Ann</td><td>3</td></tr><tr><td>Bob</td><td>4</td></tr></table> ¦ Ann | 3 / Bob | 4 ¦ tables
that lays out ¦ name age:integer ¦ <table role="presentation"><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>3</td></tr></table> ¦  ¦ tables
in a shadow tree ¦ name age:integer ¦ <div><template shadowrootmode="open"><table><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>3</td></tr></table></template></div> ¦ Ann | 3 ¦ tables
a list in a cell ¦ name tags:list ¦ <table><tr><th>Name</th><th>Tags</th></tr><tr><td>Ann</td><td>a, b</td></tr><tr><td>Bob</td><td><ul><li>c</li><li>d</li></ul></td></tr></table> ¦ Ann | a; b / Bob | c; d ¦ tables
# labels and values
groups in boxes ¦ name age:integer ¦ <dl><div><dt>Name</dt><dd>Ann</dd></div><div><dt>Age</dt><dd>3</dd></div></dl> ¦ Ann | 3 ¦ definition_lists one
a label of two names ¦ name age:integer ¦ <dl><dt>Title</dt><dt>Name</dt><dd>Ann</dd></dl> ¦ Ann | ¦ definition_lists one
several records in one list ¦ name age:integer ¦ <dl><dt>Name</dt><dd>Ann</dd><dt>Age</dt><dd>3</dd><dt>Name</dt><dd>Bob</dd><dt>Age</dt><dd>4</dd></dl> ¦ Ann | 3 / Bob | 4 ¦ definition_lists
no secrets of a form ¦ name password ¦ <label>Name <input value="Ann"></label><label>Password <input type="password" value="s"></label> ¦ Ann | ¦ definition_lists one
lines with labels ¦ name age:integer ¦ <p><b>Name:</b> Ann</p><p><b>Age:</b> 3</p> ¦ Ann | 3 ¦ definition_lists one
a hidden value ¦ name age:integer ¦ <dl><dt>Name</dt><dd>Ann</dd><dt>Age</dt><dd hidden>3</dd></dl> ¦ Ann | ¦ definition_lists one
`;

/** Records that the source says for machines. */
export const MACHINE_CASES = `
# JSON-LD
a list of items ¦ name price:number ¦ <script type="application/ld+json">{"@type":"ItemList","itemListElement":[{"@type":"ListItem","position":1,"item":{"@type":"Product","name":"A","price":1}},{"@type":"ListItem","position":2,"item":{"@type":"Product","name":"B","price":2}}]}</script> ¦ A | 1 / B | 2 ¦ json_ld
an offer within ¦ name price:number ¦ <script type="application/ld+json">{"@type":"Product","name":"Mill","offers":{"@type":"Offer","price":"5.00"}}</script> ¦ Mill | 5.00 ¦ json_ld one
a reference ¦ name price:number ¦ <script type="application/ld+json">{"@graph":[{"@type":"Product","name":"Mill","offers":{"@id":"#o"}},{"@id":"#o","@type":"Offer","price":5}]}</script> ¦ Mill | 5 ¦ json_ld one
several things ¦ name price:number ¦ <script type="application/ld+json">[{"@type":"Product","name":"A","price":1},{"@type":"Product","name":"B","price":2}]</script> ¦ A | 1 / B | 2 ¦ json_ld
invalid JSON ¦ name price:number ¦ <script type="application/ld+json">{</script> ¦  ¦ json_ld one
the name of an author is not the name of the work ¦ headline author ¦ <script type="application/ld+json">{"@type":"Article","headline":"Mills","author":{"@type":"Person","name":"Ann"}}</script> ¦ Mills | Ann ¦ json_ld one
# microdata
an item ¦ name price:number ¦ <div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Mill</b><data itemprop="price" value="5">five</data></div> ¦ Mill | 5 ¦ microdata one
an item in an item ¦ name price:number ¦ <div itemscope><b itemprop="name">Mill</b><div itemprop="offers" itemscope><i itemprop="price">5</i></div></div> ¦ Mill | 5 ¦ microdata one
a reference to itself ¦ name price:number ¦ <div id="d" itemscope itemref="d"><b itemprop="name">Mill</b><i itemprop="price">5</i></div> ¦ Mill | 5 ¦ microdata one
# RDFa
a thing ¦ name price:number ¦ <div vocab="https://schema.org/" typeof="Product"><b property="name">Mill</b><i property="price" content="5">five</i></div> ¦ Mill | 5 ¦ rdfa one
# head of the page
Open Graph ¦ title price:number ¦ <meta property="og:title" content="Mill"><meta property="product:price:amount" content="5"> ¦ Mill | 5 ¦ meta one
title and canonical address ¦ title url:url ¦ <title>Mill</title><link rel="canonical" href="/m"> ¦ Mill | http://page.test/m ¦ meta one
# one record from several places
gaps are filled ¦ name price:number ¦ <script type="application/ld+json">{"@type":"Product","name":"Mill"}</script><meta property="product:price:amount" content="5"> ¦ Mill | 5 ¦ json_ld,meta one
`;
