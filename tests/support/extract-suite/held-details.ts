import { page, records, type SuiteCase } from './case.ts';

/** Pages about one thing. Held out: rules are not written for these. */
export const HELD_DETAILS: readonly SuiteCase[] = [
  {
    type: 'book detail',
    html: page(
      'The Tin Drum',
      `<div class="crumbs"><a href="/books">Books</a> › <a href="/books/novels">Novels</a></div>
      <section><h1>The Tin Drum</h1><p>by <a href="/authors/grass">Günter Grass</a></p>
      <p><b>£10.99</b></p><p>In stock (12 available)</p>
      <p>A boy who refuses to grow up watches his town through two decades of war.</p>
      <dl><dt>ISBN</dt><dd>9780099540656</dd><dt>Pages</dt><dd>592</dd><dt>Publisher</dt><dd>Vintage</dd>
      <dt>Language</dt><dd>English</dd></dl></section>
      <aside><h2>Bestsellers</h2><ol><li><a href="/b/1">Austerlitz</a> £9.99</li><li><a href="/b/2">The Trial</a> £7.99</li></ol></aside>`,
    ),
    multiple: false,
    ...records(`
      title | author | price:number | isbn | page_count:integer | publisher | availability:boolean
      The Tin Drum | Günter Grass | 10.99 | 9780099540656 | 592 | Vintage | true
    `),
  },
  {
    type: 'company profile',
    html: page(
      'Lumen AG',
      `<h1>Lumen AG</h1><div class="x1"><span class="x2">Founded</span><span class="x3">2009</span></div>
      <div class="x1"><span class="x2">Headquarters</span><span class="x3">Basel, Switzerland</span></div>
      <div class="x1"><span class="x2">Employees</span><span class="x3">1,240</span></div>
      <div class="x1"><span class="x2">Website</span><span class="x3"><a href="https://lumen.example/">lumen.example</a></span></div>
      <div class="x1"><span class="x2">Revenue</span><span class="x3">CHF 310 million</span></div>`,
    ),
    multiple: false,
    ...records(`
      name | founded:integer | headquarters | employees:integer | website:url | ceo
      Lumen AG | 2009 | Basel, Switzerland | 1240 | https://lumen.example/ |
    `),
  },
  {
    type: 'news article',
    html: page(
      'Bridge reopens after two years',
      `<article><h1>Bridge reopens after two years</h1><p class="meta">By <span>Ines Ruiz</span> ·
      <time datetime="2024-02-19">19 February 2024</time> · 4 min read</p>
      <p>The old iron bridge carried its first cars on Monday, two years after it was closed.</p>
      <p>Repairs cost $14 million, the city said.</p></article>
      <section><h2>More news</h2><ul><li><a href="/n/2">Tram line extended</a></li><li><a href="/n/3">Pool opens late</a></li></ul></section>`,
    ),
    multiple: false,
    ...records(`
      headline | author | published:date | price:number
      Bridge reopens after two years | Ines Ruiz | 2024-02-19 |
    `),
  },
  {
    type: 'device settings',
    html: page(
      'About this device',
      `<h1>About this device</h1><div class="panel">
      <div class="row"><div>Device name</div><div>kitchen-hub</div></div><div class="row"><div>Firmware</div><div>4.12.0</div></div>
      <div class="row"><div>Serial number</div><div>KH-88-2291</div></div><div class="row"><div>IP address</div><div>192.168.1.20</div></div>
      <div class="row"><div>Last update</div><div>2024-01-30</div></div></div>`,
    ),
    multiple: false,
    ...records(`
      device_name | firmware | serialNumber | ip_address | last_update:date | mac_address
      kitchen-hub | 4.12.0 | KH-88-2291 | 192.168.1.20 | 2024-01-30 |
    `),
  },
  {
    type: 'event detail',
    html: page(
      'Harbour Run',
      `<h1>Harbour Run 2024</h1><p><strong>When:</strong> June 8, 2024</p><p><strong>Where:</strong> Old Harbour</p>
      <p><strong>Entry fee:</strong> Free</p><p><strong>Organiser:</strong> <a href="/clubs/4">City Runners</a></p>
      <p>Questions? <a href="mailto:run@city.example">run@city.example</a></p>`,
    ),
    multiple: false,
    ...records(`
      title | entry_fee:number | organiser | contact_email:email | phone
      Harbour Run 2024 | 0 | City Runners | run@city.example |
    `),
  },
  {
    type: 'film page',
    html: page(
      'Still Water',
      `<h1>Still Water <small>(2011)</small></h1><p>Two sisters inherit a ferry.</p><ul>
      <li><b>Director</b>: Aki Salo</li><li><b>Running time</b>: 104 minutes</li><li><b>Country</b>: Finland</li>
      <li><b>Genres</b>: Drama, Comedy</li></ul>`,
    ),
    multiple: false,
    ...records(`
      director | running_time | country | genres:list | budget:number
      Aki Salo | 104 minutes | Finland | Drama; Comedy |
    `),
  },
  {
    type: 'software release',
    html: page(
      'v2.4.0',
      `<div class="release"><h1>v2.4.0</h1><div>Released <relative-time datetime="2024-03-14T10:00:00Z">Mar 14, 2024</relative-time>
      by <a href="/u/noor">noor</a></div><h3>Assets</h3><ul><li><a href="/dl/app-2.4.0.zip">app-2.4.0.zip</a> <span>18 MB</span></li>
      <li><a href="/dl/app-2.4.0.tar.gz">app-2.4.0.tar.gz</a> <span>16 MB</span></li></ul></div>`,
    ),
    multiple: false,
    ...records(`
      version | released:date | licence
      v2.4.0 | 2024-03-14 |
    `),
  },
  {
    type: 'product detail of another shop',
    html: page(
      'Oak shelf',
      `<div class="pdp"><img src="/i/shelf.jpg" alt="Oak shelf"><div><h1 class="pdp__ttl">Oak shelf, 80 cm</h1>
      <div class="pdp__cost"><span>Now</span> <span>€39.90</span> <span>was €49.90</span></div>
      <div>Item no. 30-441</div><div>Sold out</div><div class="txt">Solid oak, oiled by hand, with two hidden brackets.</div></div></div>
      <h2>Goes well with</h2><div class="row"><div><a href="/x">Oak hook</a> €7.90</div><div><a href="/y">Oak box</a> €17.90</div></div>`,
    ),
    multiple: false,
    ...records(`
      name | price:number | item_number | in_stock:boolean | image:url
      Oak shelf, 80 cm | 39.9 | 30-441 | false | /i/shelf.jpg
    `),
  },
];
