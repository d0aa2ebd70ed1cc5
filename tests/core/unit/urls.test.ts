import { expect, it } from 'vitest';
import { checkUrl } from '../../../server/core/arguments.ts';
import { codeThrown } from '../../support/code-of.ts';

it.each([
  ['https://example.com', 'https://example.com/'],
  ['  http://example.com/a b ', 'http://example.com/a%20b'],
  ['example.com/path?q=1', 'https://example.com/path?q=1'],
  ['example.com:8443', 'https://example.com:8443/'],
  ['localhost:3000/x', 'http://localhost:3000/x'],
  ['[::1]:3000', 'http://[::1]:3000/'],
  ['about:blank', 'about:blank'],
  ['https://пример.рф/', 'https://xn--e1afmkfd.xn--p1ai/'],
])('checkUrl %s → %s', (given, expected) => expect(checkUrl(given)).toBe(expected));

it.each([
  ['', 'invalid_argument'],
  ['not an address', 'invalid_argument'],
  ['https://', 'invalid_argument'],
  ['https://[bad', 'invalid_argument'],
  ['javascript:alert(1)', 'url_not_allowed'],
  ['data:text/html,x', 'url_not_allowed'],
  ['file:///etc/passwd', 'url_not_allowed'],
  ['chrome://settings', 'url_not_allowed'],
  ['chrome-extension://abc/popup.html', 'url_not_allowed'],
  ['view-source:https://example.com', 'url_not_allowed'],
  ['blob:https://example.com/1', 'url_not_allowed'],
])('checkUrl refuses %j with %s', (given, code) => expect(codeThrown(() => checkUrl(given))).toBe(code));
