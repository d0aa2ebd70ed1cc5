import { DATE_FIELD, EMAIL_FIELD, LIST_FIELD, page, records, type SuiteCase } from './case.ts';

const BASKET = [
  ['Linen apron', 2, 34],
  ['Oak spoon', 1, 12.5],
  ['Tea towel, striped', 3, 9],
] as const;

/** Pages about one thing. Held out: they were written before a round of rules, and scored once after it. */
export const UNSEEN_DETAILS: readonly SuiteCase[] = [
  {
    type: 'ticket of a help desk',
    html: page(
      'Ticket 48213',
      `<nav aria-label="breadcrumb"><ol class="breadcrumb"><li class="breadcrumb-item"><a href="/tickets">Tickets</a></li><li class="breadcrumb-item active">#48213</li></ol></nav><div class="card"><div class="card-header d-flex justify-content-between"><h1 class="h4 mb-0">Printer on floor 3 prints blank pages</h1><span class="badge bg-warning text-dark">Pending</span></div><div class="card-body"><dl class="row mb-0"><dt class="col-sm-3">Ticket ID</dt><dd class="col-sm-9">48213</dd><dt class="col-sm-3">Requester</dt><dd class="col-sm-9"><a href="/users/87">Noor Haddad</a></dd><dt class="col-sm-3">Assigned to</dt><dd class="col-sm-9">Tier 2 support</dd><dt class="col-sm-3">Priority</dt><dd class="col-sm-9"><span class="badge bg-danger">High</span></dd><dt class="col-sm-3">Created</dt><dd class="col-sm-9">12 Mar 2024, 09:14</dd><dt class="col-sm-3">Due by</dt><dd class="col-sm-9">14 Mar 2024</dd><dt class="col-sm-3">Tags</dt><dd class="col-sm-9"><a class="tag" href="/t/printer">printer</a> <a class="tag" href="/t/hardware">hardware</a></dd></dl></div></div><h2 class="h5">Conversation</h2><div class="comment"><strong>Noor Haddad</strong><p>It happens with every document since the toner was changed.</p></div>`,
    ),
    fields: {
      subject: 'string',
      ticketId: 'integer',
      requester: 'string',
      assignee: 'string',
      priority: { type: 'string', enum: ['Low', 'Normal', 'High'] },
      createdAt: DATE_FIELD,
      dueDate: DATE_FIELD,
      tags: LIST_FIELD,
    },
    multiple: false,
    gold: [
      {
        subject: 'Printer on floor 3 prints blank pages',
        ticketId: 48213,
        requester: 'Noor Haddad',
        assignee: 'Tier 2 support',
        priority: 'High',
        createdAt: '2024-03-12',
        dueDate: '2024-03-14',
        tags: ['printer', 'hardware'],
      },
    ],
  },
  {
    type: 'vacancy with utility classes',
    html: page(
      'Process engineer',
      `<div class="bg-white"><div class="px-6 py-8"><p class="text-sm text-indigo-600"><a href="/companies/veldt">Veldt Dairy</a></p><h1 class="mt-1 text-2xl font-bold">Process engineer, cheese line</h1><div class="mt-4 grid grid-cols-4 gap-4"><div class="flex gap-3"><svg class="h-5 w-5"><path d="M1 1"></path></svg><div><p class="text-xs text-gray-500">Location</p><p class="text-sm font-medium">Zwolle, Netherlands</p></div></div><div class="flex gap-3"><svg class="h-5 w-5"><path d="M1 1"></path></svg><div><p class="text-xs text-gray-500">Salary</p><p class="text-sm font-medium">€52,000 – €64,000</p></div></div><div class="flex gap-3"><svg class="h-5 w-5"><path d="M1 1"></path></svg><div><p class="text-xs text-gray-500">Contract</p><p class="text-sm font-medium">Permanent</p></div></div><div class="flex gap-3"><svg class="h-5 w-5"><path d="M1 1"></path></svg><div><p class="text-xs text-gray-500">Closing date</p><p class="text-sm font-medium">30 June 2024</p></div></div></div><a href="/apply/7781" class="rounded bg-indigo-600 px-4 py-2 text-white">Apply now</a></div><div class="prose px-6"><h2>The role</h2><p>You keep two lines running and make the third one possible.</p><h2>What you bring</h2><ul><li>Five years in food processing</li><li>Dutch or German</li></ul></div></div><aside><h2>Similar jobs</h2><ul><li><a href="/jobs/1">Maintenance planner</a> <span>Salary €41,000</span></li><li><a href="/jobs/2">Quality lead</a> <span>Salary €47,000</span></li></ul></aside>`,
    ),
    multiple: false,
    ...records(`
      jobTitle | companyName | location | salaryMin:number | salaryMax:number | contractType | closingDate:date | applyUrl:url
      Process engineer, cheese line | Veldt Dairy | Zwolle, Netherlands | 52000 | 64000 | Permanent | 2024-06-30 | /apply/7781
    `),
  },
  {
    type: 'booking in a table of descriptions',
    html: page(
      'Booking',
      `<div class="ant-page-header"><span class="ant-page-header-heading-title">Booking details</span></div><div class="ant-descriptions ant-descriptions-bordered"><div class="ant-descriptions-view"><table><tbody><tr class="ant-descriptions-row"><th class="ant-descriptions-item-label"><span>Reference</span></th><td class="ant-descriptions-item-content"><span>HTL-7QX2</span></td><th class="ant-descriptions-item-label"><span>Hotel</span></th><td class="ant-descriptions-item-content"><span>Pension Lindenhof</span></td></tr><tr class="ant-descriptions-row"><th class="ant-descriptions-item-label"><span>Check-in</span></th><td class="ant-descriptions-item-content"><span>2024-07-12</span></td><th class="ant-descriptions-item-label"><span>Check-out</span></th><td class="ant-descriptions-item-content"><span>2024-07-15</span></td></tr><tr class="ant-descriptions-row"><th class="ant-descriptions-item-label"><span>Guests</span></th><td class="ant-descriptions-item-content"><span>2</span></td><th class="ant-descriptions-item-label"><span>Total price</span></th><td class="ant-descriptions-item-content"><span>EUR 387.00</span></td></tr><tr class="ant-descriptions-row"><th class="ant-descriptions-item-label"><span>Guest name</span></th><td class="ant-descriptions-item-content"><span>Mirela Popa</span></td><th class="ant-descriptions-item-label"><span>Guest email</span></th><td class="ant-descriptions-item-content"><span>mirela@post.example</span></td></tr></tbody></table></div></div>`,
    ),
    fields: {
      booking_reference: 'string',
      hotel_name: 'string',
      check_in: DATE_FIELD,
      check_out: DATE_FIELD,
      guest_count: 'integer',
      total_price: 'number',
      guest: { type: 'object', properties: { name: { type: 'string' }, email: EMAIL_FIELD } },
    },
    multiple: false,
    gold: [
      {
        booking_reference: 'HTL-7QX2',
        hotel_name: 'Pension Lindenhof',
        check_in: '2024-07-12',
        check_out: '2024-07-15',
        guest_count: 2,
        total_price: 387,
        guest: { name: 'Mirela Popa', email: 'mirela@post.example' },
      },
    ],
  },
  {
    type: 'order with its lines and a summary',
    html: page(
      'Order confirmed',
      `<div class="os-main"><h1 class="os-heading">Thank you, your order is confirmed</h1><div class="os-meta"><span>Order <strong>#W-55019</strong></span><span>Placed on May 3, 2024</span></div><table class="os-lines"><thead><tr><th>Item</th><th>Qty</th><th>Price</th></tr></thead><tbody>${BASKET.map(
        ([name, count, price]) => `<tr><td>${name}</td><td>${count}</td><td>$${price.toFixed(2)}</td></tr>`,
      ).join(
        '',
      )}</tbody></table><div class="os-summary"><div class="os-line"><span>Subtotal</span><span>$107.50</span></div><div class="os-line"><span>Shipping</span><span>$6.00</span></div><div class="os-line"><span>Tax</span><span>$9.46</span></div><div class="os-line os-line--total"><span>Total</span><span>$122.96</span></div></div></div>`,
    ),
    fields: {
      order_number: 'string',
      order_date: DATE_FIELD,
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: { name: { type: 'string' }, quantity: { type: 'integer' }, price: { type: 'number' } },
        },
      },
      shipping: 'number',
      tax: 'number',
      total: 'number',
    },
    multiple: false,
    gold: [
      {
        order_number: '#W-55019',
        order_date: '2024-05-03',
        items: BASKET.map(([name, quantity, price]) => ({ name, quantity, price })),
        shipping: 6,
        tax: 9.46,
        total: 122.96,
      },
    ],
  },
  {
    type: 'defect in a legacy tracker',
    html: page(
      'Bug 9127',
      `<table width="100%"><tr><td bgcolor="#336699"><font color="white" size="+1"><b>Bug 9127: Toolbar vanishes after undo</b></font></td></tr></table><table border="0" cellpadding="2"><tr><td align="right"><b>Product:</b></td><td>Sketchpad</td><td align="right"><b>Version:</b></td><td>2.8.1</td></tr><tr><td align="right"><b>Reporter:</b></td><td><a href="/user?id=31">osk@paint.example</a></td><td align="right"><b>Severity:</b></td><td>major</td></tr><tr><td align="right"><b>Status:</b></td><td>NEW</td><td align="right"><b>Opened:</b></td><td>2003-11-04 17:20</td></tr><tr><td align="right"><b>Votes:</b></td><td>12</td><td align="right"><b>Component:</b></td><td>Toolbars</td></tr></table><hr><b>Description:</b><pre>Undo twice, and the toolbar is gone until restart.</pre>`,
    ),
    multiple: false,
    ...records(`
      product | version | reporter | severity | status | opened_date:date | votes:integer | component
      Sketchpad | 2.8.1 | osk@paint.example | major | NEW | 2003-11-04 | 12 | Toolbars
    `),
  },
];
