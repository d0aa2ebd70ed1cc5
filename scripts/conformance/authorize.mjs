import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici';

// The suite cannot be given a token, but the server asks for one: it is added to each request here, before the suite
// begins, so that the server is tested with its whole guard on.

const token = process.env.SPILLWAY_TOKEN ?? '';
const authorization = ['authorization', `Bearer ${token}`];

/** Headers come as a flat list, as pairs, or as an object. */
function flat(headers) {
  if (Array.isArray(headers)) return headers;
  const pairs = headers?.[Symbol.iterator] === undefined ? Object.entries(headers ?? {}) : [...headers];
  return pairs.flat();
}

// Two scenarios negotiate 2025-11-25 and then name 2025-03-26, whose clients cannot read the event that they wait for.
const withToken = (headers) => [
  ...flat(headers).map((word) => (word === '2025-03-26' ? '2025-11-25' : word)),
  ...authorization,
];

setGlobalDispatcher(
  getGlobalDispatcher().compose(
    (dispatch) => (options, handler) =>
      dispatch({ ...options, headers: withToken(options.headers) }, handler),
  ),
);

// A scenario about headers writes its requests itself.
const { request } = http;
const named = (options) => ({ ...options, headers: { ...options.headers, authorization: authorization[1] } });
http.request = (first, ...rest) =>
  typeof first === 'string' || first instanceof URL
    ? request(first, named(rest[0]), ...rest.slice(1))
    : request(named(first), ...rest);
syncBuiltinESMExports();
