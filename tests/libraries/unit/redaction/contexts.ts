import { hex, type Random } from './kinds.ts';

/* The one table of secrets: kinds of value, and every syntax in which a name is next to its value. */

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const ALNUM = LOWER + LOWER.toUpperCase() + DIGITS;
const SPECIAL = '!$%&*+~?@';

/** A name with a typical value, one per seed. */
export const KINDS: Readonly<Record<string, readonly [name: string, make: (r: Random) => string]>> = {
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
export const CONTEXTS: Readonly<Record<string, (name: string, value: string) => string>> = {
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
