import { describe, expect, it } from 'vitest';
import { cutAt, redactChunks, redactor } from './chunks.ts';
import { rounds } from '../../../support/depth.ts';

const VALUES: Readonly<Record<string, string>> = {
  cvv: '417',
  pin: '4821',
  otp: '482913',
  sig: 'Zk3uQ9vT7wLr2XbN8sYd5Q',
  'X-Amz-Signature': '0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9',
  sessionid: 'k3j9d8s7f6a5q1w2',
};

const PLACES: Readonly<Record<string, (name: string, value: string) => string>> = {
  fragment: (name, value) => `https://a.test/p#${name}=${value}`,
  GraphQL: (name, value) => `mutation { f(${name}: "${value}") { ok } }`,
  'description list': (name, value) => `<dl>\n  <dt>${name}</dt>\n  <dd>${value}</dd>\n</dl>`,
  meta: (name, value) => `<meta content="${value}" name="${name}">`,
  'hidden input': (name, value) => `<input type="hidden" name="${name}" value="${value}">`,
  'input on lines': (name, value) => `<input\n  name="${name}"\n  value="${value}"\n>`,
  label: (name, value) => `<label for=x>${name}:</label> <input id=x value="${value}">`,
};

describe.each(Object.entries(PLACES))('%s', (_place, write) => {
  it.each(Object.entries(VALUES))('%s goes', async (name, value) => {
    const text = write(name, value);
    const whole = redactor.text(text);
    expect(whole).not.toContain(value);
    expect(redactor.text(whole)).toBe(whole);
    for (let at = 1; at < text.length; at += rounds(1, 7))
      expect((await redactChunks(cutAt(text, [at]))).text).toBe(whole);
  });
});

it.each([
  'IBAN DE89 3704 0044 0532 0130 00',
  'GB29NWBK60161331926819',
  'SSN: 123-45-6789',
  '<dt>Social Security Number</dt>\n<dd>123-45-6789</dd>',
  '<input autocomplete="cc-csc" value="123">',
  'https://a.test/cb?code=SplxlOBeZQ1&state=af0ifjsld1',
  '{"code":"4/0AX4XfWh12","redirect_uri":"https://a.test"}',
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgbFZ/m6yymvG5vh6p/2S9yc',
])('%s goes', (text) => expect(redactor.text(text)).toContain('«redacted:'));

it.each([
  'order 123-45-6789',
  'DE89 3704 0044 0532 0130 01',
  '/?code=US&state=CA',
  '{"code":"404","state":"open","pin":"left"}',
  '<dt>password</dt><dd>The password of the user</dd>',
  '<input name="q" value="hello"><meta name="description" content="Words">',
])('%s stays', (text) => expect(redactor.text(text)).toBe(text));
