import { expect, it } from 'vitest';
import { rounds } from '../../../support/depth.ts';
import { cutAt, redactChunks, redactor } from './chunks.ts';

/** Ordinary text without secrets: it must come back byte for byte. */
const CLEAN: Readonly<Record<string, string>> = {
  persian: 'می‌خواهم کتاب‌ها را بخوانم. نمی‌دانم چه می‌شود؛ خانه‌ای دیده‌ام. سال ۱۳۴۵ ه‍.ق',
  arabic: 'اللُّغَةُ العَرَبِيَّة هـ ـهـ، السلام عليكم ورحمة الله. لا إله إلا',
  hindi: 'हिन्दी में क्‍षमा, श्री, र्‍य, ज्ञान और विद्‌या। शक्‍ति',
  malayalam: 'മലയാളം അവന്‍ കണ്‍ വാക്‌സിന്‍',
  khmer: 'ភាសាខ្មែរ ជា​ភាសា'.replaceAll('\u200b', ''),
  mongolian: 'ᠮᠣᠩᠭᠣᠯ ᠬᠡᠯᠡ᠋ ᠠᠭᠤᠯᠠ᠎ᠠ',
  chinese: '漢字の異体字 葛\u{E0100}城 邉\u{E0102} 、\uFE00。 半角ｶﾅ，全角！',
  families: '👨‍👩‍👧‍👦 👩🏽‍🚀 🏳️‍🌈 🏴‍☠️ ❤️‍🔥 👁️‍🗨️ 🧑🏿‍🤝‍🧑🏻 1️⃣ #️⃣ ☎︎ ✌️🏽 🇮🇷🇺🇦',
  flags:
    '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} 🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
  mathematics: '∩︀ ≨︀ 0︀ ∑ᵢ xᵢ² ≤ √2 → ∞',
  prose: [
    'Tokens: a token is a unit of text. Secret: the art of doing nothing. Password: at least 8 characters.',
    'A basic understanding of bearer authentication helps; the token expires. Digest authentication is old.',
    'The cookie: a short history. Session 12 of the key note. Ratio 16:9, at 10:30, code 404, state: open.',
    'Key: value pairs. Pin: see below. Auth: OAuth2. Signature: HMAC-SHA256. Ticket: JIRA-1234.',
    'The key-value store has a key of 12345678 bytes. ISBN 978-3-16-148410-0, tel. +1 555 123 4567.',
    'Order 1234567890123456 was sent 2026-11-20 to 4000 1234 5678 9012 Main Street? No.',
    'Forgot password? Reset your password. Enter your password: required',
  ].join('\n'),
  code: [
    'const token = await getToken(session);',
    'function login({ password, token }: Credentials): Promise<Session> { return post("/login", { password, token }); }',
    'password: z.string().min(8),',
    'api_key: process.env.API_KEY,',
    'password = os.environ["DB_PASSWORD"]',
    'secret: ${{ secrets.NPM_TOKEN }}',
    'type Query { token: String!, password: String! }',
    '{"token": "string", "password": "<your password>", "api_key": "YOUR_API_KEY", "secret": null}',
    'curl -H "Authorization: Bearer $TOKEN" https://api.test/v1?api_key=YOUR_API_KEY',
    'postgres://user:password@localhost:5432/db',
    'export GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE',
    'integrity sha512-WV1Yt4rKnRSUYBZGu5XcSgoTXHXUlKt2OYGDzFZYiIMPCb8xFKOVcZM5QZxAZaYjL8GnkmDhmSiY0SqXgRqfRg==',
    'commit 9fceb02d0ae598e95dc970b74767f19372d61af8',
    'id: 550e8400-e29b-41d4-a716-446655440000',
    'tokenizer = Tokenizer(token_count=42, max_tokens: 1024)',
    '.sk-loader { color: #sk-1 } task-list disk-usage-report-for-the-machine-in-room-twelve',
    'import x from "./session.ts"; // Set-Cookie: <name>=<value>',
    'a?o.key=String.fromCharCode(27):b?o.key=x1y2z3w4v5u6t7s8+1:c;i.token=t1k2n3Gen(e,t);var token = this$1$1.getToken()',
    '{"dependencies":{"cookie":"^0.7.2","pbkdf2-password":"1.2.1"},"PWD":"/home/ann/project"}',
    '<protocol>://[<user>[:<password>@]<host> &lt;user&gt;[:&lt;password&gt;@]',
    'if (key == "state" && code === 200) return;',
    'Set-Cookie: id=a3fWa; Expires=Wed, 21 Oct 2015 07:28:00 GMT; Max-Age=2592000; Path=/',
  ].join('\n'),
  markdown:
    '# T\n\n> quote\n\n1. one\n   - two\n\n```ts\nlet a = 1;\n```\n\n![alt](https://a.test/i.png?w=1&h=2 "t")\n\n---\n',
};

it.each(Object.entries(CLEAN))('clean text survives byte for byte %s', async (_name, text) => {
  expect(redactor.text(text)).toBe(text);
  const report = { secrets: {}, invisibleCharacters: 0, instructionLike: 0 };
  for (let at = 0; at <= text.length; at += rounds(1, 11))
    expect(await redactChunks(cutAt(text, [at])), `cut at ${at}`).toMatchObject({ text, report });
});
