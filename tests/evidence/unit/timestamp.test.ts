import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { PKIFailureInfo, PKIFreeText, PKIStatusInfo } from '@peculiar/asn1-tsp';
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { certificatesOf } from '../../../server/libraries/evidence-format/timestamp.ts';
import { TOKEN_MAX_BYTES, TOKEN_NAME } from '../../../server/evidence/manifest.ts';
import { requestStamp } from '../../../server/evidence/timestamp-request.ts';
import {
  createChain,
  issue,
  pemOf,
  refusal,
  stampWith,
  startAuthority,
  tokenOf,
  type Answer,
} from '../../support/timestamp-authority.ts';
import { checked, forgedBundle, forgedManifest, FORGED_PARTS, manifestOf, problemsOf } from './bundles.ts';
import { FakeTab } from './fake-tab.ts';
import { bytesOf, rig } from './rig.ts';

const CHAIN = createChain();
const ANCHORS = certificatesOf(pemOf(CHAIN.root));

async function bundle(url: string) {
  const { run } = await rig(new FakeTab(), undefined, url);
  const produced = await run({ include: ['markdown'] });
  const bytes = await bytesOf(produced);
  return { bytes, outcome: produced.outcome() };
}

it('a bundle is time-stamped, and checked offline', async () => {
  const authority = await startAuthority(stampWith(CHAIN));
  const { bytes, outcome } = await bundle(authority.url);
  const found = await checked(bytes);
  expect(found).toMatchObject({
    problems: [],
    timestamp: { authority: 'CN=Mill time', accuracy_ms: 1_500, is_trusted: null },
  });
  expect(outcome.coverage).toContain(`Time stamp: ${found.timestamp?.time}.`);
  expect(outcome.state).toMatchObject({
    timestamp: { time: found.timestamp?.time, authority: 'CN=Mill time' },
  });
  expect(await checked(bytes, { timestampAnchors: ANCHORS })).toMatchObject({
    ok: true,
    timestamp: { is_trusted: true },
  });
  const timestampAnchors = certificatesOf(pemOf(issue('Mill root', null)));
  expect((await checked(bytes, { timestampAnchors })).problems.join('\n')).toMatch(
    /^timestamp\.tst: its authority CN=Mill time is not trusted: /,
  );
  // The authority receives only the hash of the manifest.
  const packed = unzipSync(bytes)['evidence/manifest.json'] ?? '';
  expect(authority.asked[0]?.digest).toEqual(createHash('sha256').update(packed).digest());
  expect(authority.asked).toMatchObject([
    { headers: { 'content-type': 'application/timestamp-query' }, request: { version: 1, certReq: true } },
  ]);
});

const manifest = Buffer.from(JSON.stringify(manifestOf()));
const tokenOver = (bytes: Buffer): Buffer => tokenOf(CHAIN, createHash('sha256').update(bytes).digest());
const changed = (token: Buffer): Buffer => {
  token[token.length - 1] = (token.at(-1) ?? 0) ^ 1;
  return token;
};

it.each([
  ['of another bundle', tokenOver(Buffer.from('{}')), /^timestamp\.tst: it stamps something else$/],
  ['that was changed', changed(tokenOver(manifest)), /^timestamp\.tst: its signature is wrong$/],
  ['of other bytes', Buffer.from('x'), /^timestamp\.tst: it is not a time-stamp token$/],
  ['of megabytes', Buffer.alloc(100_000), /timestamp\.tst"? has 100000 bytes/],
])('a bundle with a token %s is not whole', async (_, token, problem) => {
  const bytes = await forgedBundle([...FORGED_PARTS, forgedManifest(), [TOKEN_NAME, token]]);
  expect((await problemsOf(bytes)).join('\n')).toMatch(problem);
});

function* zeros(): Generator<Buffer, void> {
  for (;;) yield Buffer.alloc(16_384);
}

const DIGEST = createHash('sha256').update('Mill').digest();
const ask = (url: string) => requestStamp({ url, digest: DIGEST, signal: new AbortController().signal });
const status = new PKIStatusInfo({
  status: 2,
  statusString: new PKIFreeText(['not\u0007 you']),
  // badAlg is the first bit.
  failInfo: new PKIFailureInfo(new Uint8Array([0x80]).buffer, 7),
});
const answers: Record<string, [Answer, RegExp]> = {
  'that refuses': [() => refusal(status), /refused: status 2, badAlg, "not\\u0007 you"/],
  'of something else': [
    () => Buffer.from('<html>a captive portal</html>'),
    /something other than a time stamp/,
  ],
  'that is too large': [() => Buffer.alloc(TOKEN_MAX_BYTES + 1), /more than 65536 bytes/],
  'that never ends': [
    (_, response) => {
      pipeline(Readable.from(zeros()), response, () => undefined);
      return undefined;
    },
    /more than 65536 bytes/,
  ],
  'that points elsewhere': [
    (_, response) => void response.writeHead(307, { location: '/other' }).end(),
    /HTTP 307/,
  ],
  'for another nonce': [
    stampWith(CHAIN, { info: { nonce: new Uint8Array([1, 2, 3]).buffer } }),
    /the time stamp of another request/,
  ],
  'for another digest': [
    (asked) => stampWith(CHAIN)({ ...asked, digest: Buffer.alloc(32) }),
    /wrong time stamp: it stamps something else/,
  ],
};
it.each(Object.entries(answers))('an answer %s gives no time stamp', async (_, [answer, message]) => {
  const { url, host } = await startAuthority(answer);
  const error = await ask(url).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'timestamp_failed', message: expect.stringMatching(message) });
  expect(String(error)).toContain(host);
});

it('a password in the address is in no message', async () => {
  const { url } = await startAuthority((_, response) => void response.writeHead(401).end());
  // fetch refuses port 1.
  for (const each of [url, 'http://127.0.0.1:1/']) {
    const { outcome } = await bundle(`${each.replace('//', '//mill:st0ne@')}?key=gr1nd`);
    const shown = JSON.stringify(outcome);
    expect(shown).toContain('No time stamp');
    expect(shown).not.toMatch(/st0ne|gr1nd/);
  }
});
