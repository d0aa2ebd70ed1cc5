import { day, page, records, type SuiteCase } from './case.ts';

const JOBS = [
  [
    'Platform Engineer',
    'Tidewater',
    'Lisbon, Portugal',
    'Full-time',
    '€62k – €78k',
    '/jobs/311',
    '3 days ago',
  ],
  ['Content Designer', 'Fernleaf', 'Remote', 'Contract', '€45k – €55k', '/jobs/305', '5 days ago'],
  ['Data Analyst', 'Orrery', 'Ghent, Belgium', 'Full-time', '€51k – €60k', '/jobs/298', '8 days ago'],
] as const;

const INVOICES = [
  ['INV-2031', 'March 4, 2024', 'April 3, 2024', 1240.5, 'Paid'],
  ['INV-2044', 'April 2, 2024', 'May 2, 2024', 310, 'Overdue'],
  ['INV-2059', 'May 6, 2024', 'June 5, 2024', 2075.25, 'Open'],
] as const;

const PACKAGES = [
  [
    'tidy-graph',
    '4.1.0',
    'Small directed graphs for browsers and servers.',
    'mwilkes',
    'MIT',
    'March 2, 2024',
  ],
  [
    'graph-lines',
    '0.9.3',
    'Draws edges as smooth lines on a canvas.',
    'oduya',
    'Apache-2.0',
    'January 19, 2024',
  ],
  ['nodegrid', '12.0.1', 'Lays out nodes in a grid.', 'petra-v', 'MIT', 'April 25, 2024'],
] as const;

const LOTS = [
  [101, 'Walnut writing desk', 380, 12, '/lots/101', '2d 4h'],
  [102, 'Brass ship’s clock', 1150, 31, '/lots/102', '6h 20m'],
  [103, 'Pair of Delft vases', 640, 0, '/lots/103', '1d 1h'],
] as const;

const RELEASES = [
  ['3.4.0', '2024-05-02', 'Adds keyboard shortcuts to the timeline.'],
  ['3.3.2', '2024-04-11', 'Fixes a crash when a file has no name.'],
  ['3.3.1', '2024-03-29', 'Restores the old order of tabs.'],
] as const;

/** The other half of the pages that were written before a round of rules. */
export const NEXT_PAGES: readonly SuiteCase[] = [
  {
    type: 'job board with chips',
    html: page(
      'Open roles',
      `<h1 class="h1">Find work</h1><div class="filters"><label>Remote <input type="checkbox"></label></div><div role="list">${JOBS.map(
        ([title, company, place, kind, pay, path, age]) =>
          `<div role="listitem" class="rounded border p-4"><div class="flex justify-between"><div><a class="font-semibold" href="${path}">${title}</a><div class="text-sm"><a href="/companies/${company.toLowerCase()}">${company}</a> · <span>${place}</span></div></div><button aria-label="Bookmark ${title}">☆</button></div><div class="flex gap-2"><span class="chip">${kind}</span><span class="chip">${pay}</span></div><div class="text-xs text-gray-500">${age}</div></div>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      jobTitle | companyName | location | employmentType | jobUrl:url | applicationDeadline:date | contactEmail:email | experienceYears:integer
      Platform Engineer | Tidewater | Lisbon, Portugal | Full-time | /jobs/311 |  |  |
      Content Designer | Fernleaf | Remote | Contract | /jobs/305 |  |  |
      Data Analyst | Orrery | Ghent, Belgium | Full-time | /jobs/298 |  |  |
    `),
  },
  {
    type: 'invoices of an account',
    html: page(
      'Billing',
      `<h1>Invoices</h1><div class="summary"><div><span>Balance</span><strong>$2,385.25</strong></div></div><table class="tbl"><thead><tr><th><input type="checkbox" aria-label="Select all"></th><th>Invoice</th><th>Issued</th><th>Due</th><th>Amount</th><th>Status</th><th><span class="sr-only">Actions</span></th></tr></thead><tbody>${INVOICES.map(
        ([id, issued, due, amount, status]) =>
          `<tr><td><input type="checkbox" aria-label="Select ${id}"></td><td><a href="/invoices/${id}">${id}</a></td><td>${issued}</td><td>${due}</td><td>$${amount.toFixed(2)}</td><td><span class="badge">${status}</span></td><td><a href="/invoices/${id}.pdf">PDF</a></td></tr>`,
      ).join('')}</tbody></table>`,
    ),
    multiple: true,
    ...records(`
      invoiceNumber | issueDate:date | dueDate:date | amount:number | status | customerName | taxAmount:number
      INV-2031 | 2024-03-04 | 2024-04-03 | 1240.5 | Paid |  |
      INV-2044 | 2024-04-02 | 2024-05-02 | 310 | Overdue |  |
      INV-2059 | 2024-05-06 | 2024-06-05 | 2075.25 | Open |  |
    `),
  },
  {
    type: 'packages found in a registry',
    html: page(
      'graph – search',
      `<h1>3 packages for “graph”</h1><main id="r">${PACKAGES.map(
        ([name, version, about, author, licence, date]) =>
          `<section class="b7c"><div class="f2e"><a href="/package/${name}"><h3>${name}</h3></a><p class="k1">${about}</p><ul aria-label="Keywords"><li><a href="/k/graph">graph</a></li><li><a href="/k/layout">layout</a></li></ul><div class="m9"><a href="/~${author}"><img alt="" src="/av/${author}.png"></a><a href="/~${author}">${author}</a><span> published ${version} • <time datetime="${day(date)}">${date}</time> • ${licence}</span></div></div></section>`,
      ).join('')}</main>`,
    ),
    multiple: true,
    ...records(`
      packageName | description | publisher | lastPublished:date | packageUrl:url | weeklyDownloads:integer | stars:integer
      tidy-graph | Small directed graphs for browsers and servers. | mwilkes | 2024-03-02 | /package/tidy-graph |  |
      graph-lines | Draws edges as smooth lines on a canvas. | oduya | 2024-01-19 | /package/graph-lines |  |
      nodegrid | Lays out nodes in a grid. | petra-v | 2024-04-25 | /package/nodegrid |  |
    `),
  },
  {
    type: 'lots of an auction',
    html: page(
      'Country house sale',
      `<h1>Country house sale</h1><div class="row">${LOTS.map(
        ([lot, title, bid, bids, path, left]) =>
          `<div class="col"><div class="tile"><a href="${path}"><img src="/l/${lot}.jpg" alt="${title}"></a><div class="tile-b"><small>Lot ${lot}</small><h4><a href="${path}">${title}</a></h4><dl><dt>Current bid</dt><dd>£${bid.toLocaleString('en-US')}</dd></dl><span>${bids} bids</span> <span>${left} left</span></div></div></div>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      lot_number:integer | title | current_bid:number | bid_count:integer | lot_url:url | seller | estimate_low:number | condition
      101 | Walnut writing desk | 380 | 12 | /lots/101 |  |  |
      102 | Brass ship’s clock | 1150 | 31 | /lots/102 |  |  |
      103 | Pair of Delft vases | 640 | 0 | /lots/103 |  |  |
    `),
  },
  {
    type: 'release notes under headings',
    html: page(
      'Changelog',
      `<article class="prose"><h1>Changelog</h1><p>What changed in Drumlin.</p>${RELEASES.map(
        ([version, date, note]) =>
          `<h2 id="v${version}">${version} <small>(${date})</small></h2><p>${note}</p><p><a href="https://github.example/drumlin/compare/${version}">Compare</a></p>`,
      ).join('')}</article>`,
    ),
    multiple: true,
    ...records(`
      version | release_date:date | author | download_url:url
      3.4.0 | 2024-05-02 |  |
      3.3.2 | 2024-04-11 |  |
      3.3.1 | 2024-03-29 |  |
    `),
  },
  {
    type: 'weather of a place now',
    html: page(
      'Weather in Tromsø',
      `<h1>Tromsø, Norway</h1><p>As of 14:20</p><div class="now"><span class="t">6°</span><span class="c">Light rain</span><span>Feels like 2°</span></div><ul class="facts"><li><span>Humidity</span><span>81%</span></li><li><span>Wind</span><span>7 m/s</span></li><li><span>Pressure</span><span>1004 hPa</span></li></ul><section><h2>Hourly</h2><ol><li>15:00 <b>6°</b></li><li>16:00 <b>5°</b></li><li>17:00 <b>5°</b></li></ol></section>`,
    ),
    multiple: false,
    ...records(`
      location | humidity:integer | wind | uv_index:integer | sunrise | air_quality
      Tromsø, Norway | 81 | 7 m/s |  |  |
    `),
  },
];
