export function product(at: number): Record<string, unknown> {
  const names = ['Desk lamp', 'Standing desk', 'Office chair', 'Monitor arm', 'Cable tray', 'Footrest'];
  return {
    name: `${names[at % names.length] ?? 'Lamp'}${at < names.length ? '' : ` mark ${1 + Math.floor(at / names.length)}`}`,
    price: 29.9 + at * 17,
    currency: 'EUR',
    in_stock: at % 3 !== 0,
    rating: at % 4 === 3 ? null : 3.5 + (at % 4) / 2,
    url: `https://shop.example.org/items/${at + 100}`,
    description: 'A thing for an office, in oak or in ash, with five years of warranty.',
  };
}

/** A request of the network, as a capture has it. */
export const harEntry = (at: number): Record<string, unknown> => ({
  startedDateTime: '2026-03-02T09:41:00.000Z',
  time: 12.4 * (at + 1),
  request: {
    method: at % 3 === 0 ? 'POST' : 'GET',
    url: `https://api.example.org/v1/orders/${at}?page=${at}`,
    httpVersion: 'HTTP/2',
    headers: [{ name: 'accept', value: '*/*' }],
    cookies: [],
    queryString: [],
    headersSize: -1,
    bodySize: 0,
  },
  response: {
    status: at === 3 ? 404 : at === 5 ? 0 : 200,
    statusText: 'OK',
    headers: [],
    cookies: [],
    content: { size: 1_200 * at, mimeType: 'application/json', text: '{"id":1}' },
    redirectURL: '',
    headersSize: -1,
    bodySize: 100,
    _transferSize: 1_300 * at,
    ...(at === 5 ? { _error: 'net::ERR_FAILED' } : {}),
  },
  cache: {},
  timings: { send: 0, wait: 10, receive: 2 },
  _resourceType: 'xhr',
});
