import { expect, it } from 'vitest';
import { cutAt, redactChunks, redactor } from './chunks.ts';
import { hex, Random } from './kinds.ts';
import { rounds } from '../../support/depth.ts';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const ALNUM = LOWER + LOWER.toUpperCase() + DIGITS;
const SPECIAL = '!$%&*+~?@';

/** A name with a typical value, one per seed. */
const KINDS: Readonly<Record<string, readonly [name: string, make: (r: Random) => string]>> = {
  'password of few digits': ['password', (r) => r.text(LOWER, 5 + r.below(5)) + r.text('123456789', 1)],
  'password with signs': [
    'password',
    (r) => r.text(ALNUM, 5) + r.text(SPECIAL, 1) + r.text(LOWER, 2) + r.text(DIGITS, 2),
  ],
  'named password': ['db_password', (r) => r.text(LOWER, 6) + r.text(DIGITS, 2)],
  'short token': ['access_token', (r) => `${r.text(LOWER, 4)}${r.text(DIGITS, 2)}${r.text(LOWER, 4)}`],
  'API key': ['api_key', (r) => r.text(ALNUM, 15) + '7'],
  'hexadecimal secret': ['client_secret', (r) => `a${hex(r, 30)}7`],
  'AWS secret access key': ['aws_secret_access_key', (r) => `k7${r.text(`${ALNUM}/+`, 37)}Z`],
  'key of an issuer': ['token', (r) => `ghp_${r.text(ALNUM, 36)}`],
};

/** Every syntax in which a page, a body or a person writes a name and its value. */
const CONTEXTS: Readonly<Record<string, (name: string, value: string) => string>> = {
  text: (n, v) => `${n}: ${v}\n`,
  assignment: (n, v) => `${n}=${v}\n`,
  'Markdown table': (n, v) => `| ${n} | ${v} |\n`,
  'Markdown heading': (n, v) => `## ${n}\n\n${v}\n`,
  'HTML input': (n, v) => `<input name="${n}" value="${v}">`,
  'HTML rows': (n, v) => `<tr>\n <th>${n}</th>\n <td>${v}</td>\n</tr>`,
  JSON: (n, v) => `{"a":1,"${n}":"${v}"}`,
  'JSON in JSON': (n, v) => JSON.stringify({ x: JSON.stringify({ [n]: v }) }),
  code: (n, v) => `const ${n} = '${v}';`,
  'code of pairs': (n, v) => `  '${n}' => '${v}',`,
  'declaration of Go': (n, v) => `${n} := "${v}"`,
  'declaration with a type': (n, v) => `let ${n}: String = "${v}"`,
  call: (n, v) => `headers.set("${n}", "${v}");`,
  comparison: (n, v) => `if (${n} === '${v}') {`,
  subscript: (n, v) => `$config['${n}'] = '${v}';`,
  'string with a letter': (n, v) => `${n} = r"${v}"`,
  CSV: (n, v) => `id,${n},city\n1,${v},Oslo\n2,,Bonn\n3,"${v}",Rome\n`,
  XML: (n, v) => `<user><id>1</id><${n}>${v}</${n}></user>`,
  header: (n, v) => `x-${n.replaceAll('_', '-')}: ${v}\r\n`,
  snapshot: (n, v) => `e7 textbox [required] ${n} = ${v}\n`,
  'snapshot of a list': (n, v) => `- textbox "${n}" [ref=e3]: ${v}\n`,
  prose: (n, v) => `Hello Ann, your ${n.replaceAll('_', ' ')} is ${v}. Keep it.`,
  list: (n, v) => `- ${n.replaceAll('_', ' ')}: ${v}\n- other: none\n`,
  'next line': (n, v) => `${n.replaceAll('_', ' ')}\n${v}\n`,
  'two lines below': (n, v) => `${n.replaceAll('_', ' ')}:\nCopy\n${v}\n`,
  'Markdown column': (n, v) => `| user | ${n} |\n| --- | --- |\n| ann | ${v} |\n`,
  'Markdown table of names': (n, v) => `| Name | Value |\n| --- | --- |\n| region | eu |\n| ${n} | ${v} |\n`,
  'HTML column': (n, v) =>
    `<table><tr><th>user</th><th>${n}</th></tr>\n<tr><td>ann</td><td>${v}</td></tr></table>`,
  'HTML definition': (n, v) => `<dl><dt>${n}</dt><dd>${v}</dd></dl>`,
  TSV: (n, v) => `user\t${n}\nann\t${v}\nbob\t${v}\n`,
  'CSV of names': (n, v) => `name,value\nregion,eu\n${n},${v}\n`,
  'JSON columns': (n, v) => JSON.stringify({ columns: ['user', n], rows: [['ann', v]] }),
  'JSON rows': (n, v) =>
    JSON.stringify([
      ['user', n],
      ['ann', v],
    ]),
  'JSON of name and value': (n, v) => JSON.stringify([{ name: n, value: v }]),
  'JSON pairs': (n, v) =>
    JSON.stringify({
      pairs: [
        ['region', 'eu'],
        [n, v],
      ],
    }),
  'SQL insert': (n, v) => `INSERT INTO users (name, ${n}) VALUES ('ann', '${v}');\n`,
  plist: (n, v) => `<dict><key>${n}</key>\n<string>${v}</string></dict>`,
  flag: (n, v) => `tool --user ann --${n.replaceAll('_', '-')} ${v} run\n`,
  'name in brackets': (n, v) => `${n} (new): "${v}"\n`,
  'typographic quotes': (n, v) => `${n}: “${v}”\n`,
};

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
