import { createHash, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OctetString } from '@peculiar/asn1-schema';
import { MessageImprint } from '@peculiar/asn1-tsp';
import { AlgorithmIdentifier, Extension } from '@peculiar/asn1-x509';
import { describe, expect, it } from 'vitest';
import { certificatesOf, checkToken } from '../../../server/libraries/evidence-format/timestamp.ts';
import {
  createChain,
  issue,
  pemOf,
  tokenOf,
  type CertificateChanges,
  type TokenChanges,
} from '../../support/timestamp-authority.ts';

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
const DIGEST = digestOf('Mill');
const CHAIN = createChain();
const check = (token: Buffer, anchors: ReturnType<typeof certificatesOf> = null) =>
  checkToken(token, DIGEST, anchors);
const ROOT = certificatesOf(pemOf(CHAIN.root));

describe('tokens of OpenSSL', () => {
  const { data, root, tokens } = JSON.parse(
    readFileSync(join(import.meta.dirname, 'openssl-tokens.json'), 'utf8'),
  ) as { data: string; root: string; tokens: Record<string, string> };
  const anchors = certificatesOf(root);

  it.each(Object.entries(tokens))('%s holds, and with any byte of it changed it does not', (_, base64) => {
    const token = Buffer.from(base64, 'base64');
    const digest = digestOf(data);
    expect(checkToken(token, digest, anchors)).toMatchObject({
      problem: null,
      stamp: { time: expect.stringMatching(/^2026-11-22T05:/), accuracy_ms: 1_500, is_trusted: true },
    });
    expect(checkToken(token, digestOf(''), anchors).problem).toBe('it stamps something else');
    const imprint = token.indexOf(digest);
    expect(imprint).toBeGreaterThan(0);
    // From the imprint to the end of the nonce.
    for (let at = imprint; at < imprint + 64; at += 1) {
      const changed = Buffer.from(token);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(checkToken(changed, digest, anchors).stamp, `byte ${at}`).toBeNull();
    }
  });
});

describe('a token', () => {
  const imprint = (algorithm: string, hash: Buffer): TokenChanges => ({
    info: {
      messageImprint: new MessageImprint({
        hashAlgorithm: new AlgorithmIdentifier({ algorithm, parameters: null }),
        hashedMessage: new OctetString(hash),
      }),
    },
  });
  const stranger = issue('Mill time', null);
  const wrong: Record<string, [TokenChanges, RegExp]> = {
    'of another digest': [imprint('2.16.840.1.101.3.4.2.1', digestOf('')), /^it stamps something else$/],
    'whose content is not the signed one': [{ signed: Buffer.from('x') }, /^it signs something else$/],
    'that another key signed': [{ signedBy: stranger.key }, /^its signature is wrong$/],
    'that names another certificate': [{ named: stranger.der }, /^it was not signed for this certificate$/],
  };
  it.each(Object.entries(wrong))('%s is refused', (_, [changes, problem]) => {
    expect(check(tokenOf(CHAIN, DIGEST, changes), ROOT)).toEqual({
      stamp: null,
      problem: expect.stringMatching(problem),
    });
  });

  const right = tokenOf(CHAIN, DIGEST);
  it.each([
    ['a cut token', right.subarray(0, -1)],
    ['a token and more', Buffer.concat([right, Buffer.alloc(1)])],
    ['deeply nested values', Buffer.from('3080'.repeat(30_000), 'hex')],
  ])('%s is not a token', (_, bytes) => {
    expect(check(bytes)).toEqual({ stamp: null, problem: 'it is not a time-stamp token' });
  });
});

const LONG_AGO = { notBefore: new Date(Date.UTC(2001, 0)), notAfter: new Date(Date.UTC(2002, 0)) };
const odd = new Extension({ extnID: '1.2.3.4', critical: true, extnValue: new OctetString([5, 0]) });

describe('the certificate of an authority', () => {
  const wrong: Record<string, [CertificateChanges, RegExp]> = {
    'without the key usage': [{ purposes: null }, /is not for time stamps alone$/],
    'whose key usage is not critical': [
      { isPurposeCritical: false },
      /does not mark its extended key usage as critical$/,
    ],
    'that has expired': [LONG_AGO, /was not valid at that time$/],
    'with a critical extension': [
      { extension: odd },
      /has the critical extension 1\.2\.3\.4, which is not supported$/,
    ],
  };
  it.each(Object.entries(wrong))('%s is refused', (_, [signer, problem]) => {
    expect(check(tokenOf(createChain({ signer }), DIGEST))).toEqual({
      stamp: null,
      problem: expect.stringMatching(problem),
    });
  });
});

it('a chain takes what lies between from the given ones too', () => {
  const token = tokenOf(CHAIN, DIGEST, { certificates: [CHAIN.signer.der] });
  expect(check(token, ROOT).stamp?.is_trusted).toBe(false);
  const both = certificatesOf(pemOf(CHAIN.middle) + pemOf(CHAIN.root));
  expect(check(token, both).stamp?.is_trusted).toBe(true);
});

const untrusted: Record<string, [Parameters<typeof createChain>[0], RegExp]> = {
  'whose middle may not issue': [
    { middle: { isAuthority: false } },
    /Mill authority is not for a certificate authority$/,
  ],
  'whose middle has expired': [{ middle: LONG_AGO }, /Mill authority was not valid at that time$/],
  'whose root has expired': [{ root: LONG_AGO }, /Mill root was not valid at that time$/],
  'that is longer than its root allows': [
    { root: { pathLength: 0 } },
    /Mill root is followed by too many authorities$/,
  ],
  'with a short key': [
    { middle: { keys: generateKeyPairSync('rsa', { modulusLength: 1_024 }) } },
    /the certificate of CN=Mill time is signed in a way that is not supported$/,
  ],
};
it.each(Object.entries(untrusted))('a chain %s is not trusted', (_, [changes, problem]) => {
  const chain = createChain(changes);
  const found = check(tokenOf(chain, DIGEST), certificatesOf(pemOf(chain.root)));
  expect(found).toMatchObject({ stamp: { is_trusted: false }, problem: expect.stringMatching(problem) });
  expect(check(tokenOf(chain, DIGEST))).toMatchObject({ stamp: { is_trusted: null }, problem: null });
});

it('a chain to another root of the same name is not trusted', () => {
  const { problem, stamp } = check(tokenOf(CHAIN, DIGEST), certificatesOf(pemOf(issue('Mill root', null))));
  expect(stamp?.is_trusted).toBe(false);
  expect(problem).toMatch(/Mill authority was not signed by CN=Mill root$/);
  // A failed check must not leave an error behind for the next.
  expect(check(tokenOf(CHAIN, DIGEST), ROOT)).toMatchObject({ problem: null });
});
