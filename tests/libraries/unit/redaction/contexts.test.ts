import { expect, it } from 'vitest';
import { cutAt, redactChunks, redactor } from './chunks.ts';
import { CONTEXTS, KINDS } from './contexts.ts';
import { Random } from './kinds.ts';
import { rounds } from '../../../support/depth.ts';

it.each(Object.entries(CONTEXTS))('%s: no kind of value is missed, wherever it is cut', async (_, write) => {
  for (const [kind, [name, make]] of Object.entries(KINDS))
    for (let seed = 1; seed <= rounds(40, 10); seed += 1) {
      const value = make(new Random(seed));
      const text = write(name, value);
      const whole = redactor.text(text);
      expect(whole, kind).not.toContain(value);
      expect(redactor.text(whole), kind).toBe(whole);
      const at = 1 + (seed % (text.length - 1));
      expect((await redactChunks(cutAt(text, [at]))).text, `${kind} cut at ${at}`).toBe(whole);
    }
});

it.each([
  ['token=abcdefgh', 'abcdefgh'],
  ['Use swordfish9 as your password.', 'swordfish9'],
  ['password [swordfish9]', 'swordfish9'],
  [String.raw`{"text":"Card\n4111111111111111"}`, '4111111111111111'],
  [`tokenghp_${'a1B2c3D4'.repeat(5)}`, 'a1B2c3D4'],
  ['Password: swordfish\n', 'swordfish'],
  ['The password is `swordfish`.', 'swordfish'],
  ['passphrase: correct horse battery staple\nnext', 'battery'],
  ['Recovery phrase: legal winner thank year wave sausage worth useful\n', 'sausage'],
  ['Your verification code is 482913', '482913'],
  ['name,password\nann,swordfish\nbob,dragon\n', 'dragon'],
  ['e4 textbox sessionid = k3j9d8s7f6a5q1w2', 'k3j9d8s7'],
  ['- textbox "One-time code" [ref=e3] = 482913', '482913'],
  ['MINIO_ROOT_PASSWORD=swordfish9', 'swordfish9'],
  ['STRIPE_SECRET_KEY_PROD=k3j9d8 {"password_2":"shark","secretValue":"trout"}', /k3j9d8|shark|trout/],
  ['https://a.test/?reset_password_token=k3j9d8', 'k3j9d8'],
  ['{"stripeToken":"k3j9d8"}', 'k3j9d8'],
])('%j shows nothing of %s', (text, secret) => expect(redactor.text(text)).not.toMatch(secret));

it.each([
  'password: must be at least eight characters',
  'The password is required. The token is invalid, the key is missing.',
  'The secret is sha256-hashed; the key is 32-byte, the token is base64-encoded.',
  'interface A {\n  password: string\n  token: Token\n}',
  'login(user=name, password=password1, token=token)',
  'const token=nextToken;\nlet secret=readSecret()',
  '## Token\n\nTokens are issued by the server.\n',
  'passphrase: the words that open your wallet',
  '{"next_page_token":"CAUQAA9f8e7d6c5b","nextPageToken":"CAUQAA9f8e7d6c5b","pad_token":"<|end|>"}',
  'https://a.test/?page_token=CAUQAA9f8e7d6c5b',
  '{"hasToken":"no","forgot_password":"link","token_2":"word"} list.set("token", "word")',
  `fetch(url, {"credentials":"include"}); 'password' => 'required|string|min:8',`,
])('%j stays', (text) => expect(redactor.text(text)).toBe(text));

it('JSON of megabytes is read by its names, in any form, and honest JSON stays', async () => {
  const notes = Array.from({ length: 20_000 }, (_, id) => ({ id, note: `${'four sails '.repeat(12)}${id}` }));
  const rows = notes.map(({ note }) => [note, 'swordfish']);
  const cells = { columns: ['note', 'password'], rows };
  for (const value of [
    cells,
    [['note', 'password'], ...rows],
    [{ value: 'swordfish', notes, name: 'password' }],
  ])
    expect((await redactChunks(cutAt(JSON.stringify(value), [1_500_000, 1]))).text).not.toContain(
      'swordfish',
    );
  const honest = JSON.stringify(
    notes.map((note) => ({ ...note, type: 'code', name: 'code', text: 'four sails' })),
  );
  expect((await redactChunks([honest])).text === honest).toBe(true);
});
