import { page, records, type SuiteCase } from './case.ts';

const DISHES = [
  ['Beetroot carpaccio', '9.50', 'Goat cheese, walnuts and thyme honey'],
  ['Mushroom risotto', '16.00', 'Chanterelles, parmesan and lemon oil'],
  ['Plum dumplings', '8.00', 'Butter crumbs and vanilla sauce'],
  ['Grilled trout', '21.50', 'Brown butter, almonds and new potatoes'],
] as const;

const YEARS = [
  [1921, 'A shop for rope opens', 'Anton Brandt sells rope and tar to the boats of the old harbour.'],
  [1954, 'The first factory', 'Forty people make nylon line in a hall by the railway.'],
  [1987, 'Across the sea', 'An office in Halifax sells to the fleets of the north.'],
  [2015, 'Nets from nets', 'Old nets become new yarn in a plant that runs on wind.'],
] as const;

const FLIGHTS = [
  ['Nordwind', 'OSL', '06:40', 'LIS', '10:05', '4h 25m', 'Nonstop', '$189'],
  ['Air Tejo', 'OSL', '09:15', 'LIS', '15:50', '7h 35m', '1 stop', '$142'],
  ['Skylark', 'OSL', '13:30', 'LIS', '21:10', '8h 40m', '2 stops', '$118'],
] as const;

const ORDERS = [
  ['114-220', 'March 3, 2024', '$48.20', 'Delivered March 6', 'Wool socks, three pairs'],
  ['114-187', 'February 14, 2024', '$129.00', 'Delivered February 18', 'Kettle, 1.2 litres'],
  ['114-090', 'January 22, 2024', '$17.75', 'Returned', 'Paper for watercolours'],
] as const;

/** Pages laid out as frameworks, forums and shops do. Development set. */
export const DEV_SITES_C: readonly SuiteCase[] = [
  {
    type: 'menu of a restaurant',
    html: page(
      'Menu',
      `<h1>Menu</h1><section><h2>Evening</h2>${DISHES.map(
        ([name, price, text]) =>
          `<div class="wp-block-group"><div class="is-flex"><p><strong>${name}</strong></p><p>€${price}</p></div><p><em>${text}</em></p></div>`,
      ).join('')}</section>`,
    ),
    multiple: true,
    ...records(`
      dish | price:number | description
      Beetroot carpaccio | 9.5 | Goat cheese, walnuts and thyme honey
      Mushroom risotto | 16 | Chanterelles, parmesan and lemon oil
      Plum dumplings | 8 | Butter crumbs and vanilla sauce
      Grilled trout | 21.5 | Brown butter, almonds and new potatoes
    `),
  },
  {
    type: 'timeline of a company',
    html: page(
      'Our history',
      `<h1>Our history</h1><div class="timeline">${YEARS.map(
        ([year, title, text]) =>
          `<div class="timeline__item"><div class="timeline__dot"></div><div class="timeline__year">${year}</div><div class="timeline__panel"><h3>${title}</h3><p>${text}</p></div></div>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      year:integer | title | description
      1921 | A shop for rope opens | Anton Brandt sells rope and tar to the boats of the old harbour.
      1954 | The first factory | Forty people make nylon line in a hall by the railway.
      1987 | Across the sea | An office in Halifax sells to the fleets of the north.
      2015 | Nets from nets | Old nets become new yarn in a plant that runs on wind.
    `),
  },
  {
    type: 'car with facts in two tables',
    html: page(
      'Skoda Octavia Combi',
      `<div><h1>Skoda Octavia Combi 2.0 TDI</h1><div><span>17,450 €</span> <small>incl. VAT</small></div>
      <table><tbody><tr><th>First registration</th><td>06/2019</td></tr><tr><th>Mileage</th><td>84,200 km</td></tr><tr><th>Power</th><td>110 kW (150 hp)</td></tr></tbody></table>
      <table><tbody><tr><td>Fuel</td><td>Diesel</td></tr><tr><td>Gearbox</td><td>Automatic</td></tr><tr><td>Previous owners</td><td>2</td></tr><tr><td>Colour</td><td>Grey metallic</td></tr></tbody></table>
      <h2>Similar cars</h2><div><a href="/c/1"><h3>Seat Leon ST</h3><span>15,900 €</span></a><a href="/c/2"><h3>VW Golf Variant</h3><span>18,300 €</span></a></div></div>`,
    ),
    multiple: false,
    ...records(`
      title | price:number | mileage:integer | fuel_type | transmission | previous_owners:integer | color
      Skoda Octavia Combi 2.0 TDI | 17450 | 84200 | Diesel | Automatic | 2 | Grey metallic
    `),
  },
  {
    type: 'flights',
    html: page(
      'Oslo to Lisbon',
      `<h1>Oslo to Lisbon</h1><p>3 results, sorted by departure</p><ol class="results">${FLIGHTS.map(
        ([
          airline,
          from,
          leaves,
          to,
          lands,
          time,
          stops,
          price,
        ]) => `<li class="itinerary"><div class="carrier"><img alt="" src="/l/${from}.svg">${airline}</div>
      <div class="leg"><div class="dep"><span class="time">${leaves}</span><span class="iata">${from}</span></div>
      <div class="mid"><span class="dur">${time}</span><i class="line"></i><span class="stops">${stops}</span></div>
      <div class="arr"><span class="time">${lands}</span><span class="iata">${to}</span></div></div>
      <div class="fare"><strong>${price}</strong><small>per adult</small><button>Select</button></div></li>`,
      ).join('')}</ol>`,
    ),
    multiple: true,
    ...records(`
      airline | duration | stops | price:number
      Nordwind | 4h 25m | Nonstop | 189
      Air Tejo | 7h 35m | 1 stop | 142
      Skylark | 8h 40m | 2 stops | 118
    `),
  },
  {
    type: 'orders of an account',
    html: page(
      'Your orders',
      `<h1>Your orders</h1>${ORDERS.map(
        (
          [id, date, total, state, item],
          index,
        ) => `<div class="order-card"><div class="order-header"><ul><li><span class="a-text-caps">Order placed</span><span class="a-size-base">${date}</span></li><li><span class="a-text-caps">Total</span><span class="a-size-base">${total}</span></li>
      <li><span class="a-text-caps">Ship to</span><span class="a-size-base">R. Finch</span></li></ul><div class="right"><span>Order # ${id}</span> <a href="/order/${id}">View order details</a></div></div><div class="order-body"><h4>${state}</h4><a class="a-link-normal" href="/dp/${index}">${item}</a></div></div>`,
      ).join('')}`,
    ),
    multiple: true,
    ...records(`
      order_number | order_date:date | total:number | ship_to
      114-220 | 2024-03-03 | 48.2 | R. Finch
      114-187 | 2024-02-14 | 129 | R. Finch
      114-090 | 2024-01-22 | 17.75 | R. Finch
    `),
  },
  {
    type: 'product of a theme shop',
    html: page(
      'Trail Bottle',
      `<div class="product__info"><p class="product__vendor caption">Highfell</p><h1 class="product__title">Trail Bottle 750 ml</h1>
      <div class="price price--on-sale"><div class="price__sale"><span class="visually-hidden">Regular price</span><s class="price-item price-item--regular">$32.00</s><span class="visually-hidden">Sale price</span><span class="price-item price-item--sale">$25.60</span></div><small class="unit-price hidden" style="display:none">Unit price / per</small><span class="badge">Sale</span></div>
      <div class="rating" role="img" aria-label="4.7 out of 5.0 stars"></div><p class="rating-count"><span aria-hidden="true">(212)</span><span class="visually-hidden">212 total reviews</span></p>
      <fieldset><legend>Color: <span>Moss</span></legend></fieldset><p class="inventory"><svg></svg>In stock, ready to ship</p><div class="product__description"><p>Steel bottle with a lid that opens with one hand and never drips in a bag.</p></div>
      <details open><summary>Materials</summary><p>18/8 stainless steel</p></details><p>SKU: HF-750-M</p></div>`,
    ),
    multiple: false,
    ...records(`
      name | brand | price:number | original_price:number | rating:number | review_count:integer | color | in_stock:boolean | sku | description | materials
      Trail Bottle 750 ml | Highfell | 25.6 | 32 | 4.7 | 212 | Moss | true | HF-750-M | Steel bottle with a lid that opens with one hand and never drips in a bag. | 18/8 stainless steel
    `),
  },
];
