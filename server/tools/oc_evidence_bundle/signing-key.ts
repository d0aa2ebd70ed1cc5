import { createPrivateKey, type KeyObject } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { SpillwayError } from '../../../shared/errors.ts';
import { errnoOf } from '../../machine/errno.ts';
import { algorithmOf } from './signature.ts';

const GROUP_AND_OTHERS = 0o077;
const KEY_MAX_BYTES = 64 * 1_024;

/**
 * The private key that bundles are signed with, read with each bundle, so that none is kept in memory.
 * @throws SpillwayError `evidence_key_invalid`
 */
export async function readSigningKey(path: string): Promise<KeyObject> {
  const key = parse(await readPrivate(path), path);
  if (algorithmOf(key) !== null) return key;
  throw refusal(
    `${path} holds a key that cannot sign: it takes Ed25519, ECDSA, or RSA of 2048 bits or more.`,
  );
}

async function readPrivate(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((thrown: unknown) => {
    throw refusal(`${path} cannot be read (${errnoOf(thrown) ?? String(thrown)}).`);
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > KEY_MAX_BYTES) throw refusal(`${path} is not a key file.`);
    if (process.platform !== 'win32' && (stats.mode & GROUP_AND_OTHERS) !== 0)
      throw refusal(`Other users can read ${path}.`, 'Run `chmod 600` on it, and consider a new key.');
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

function parse(pem: string, path: string): KeyObject {
  if (/^(?:-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED)/m.test(pem))
    throw refusal(
      `The key in ${path} is encrypted.`,
      'Decrypt it into a file that only you can read: openssl pkey -in KEY -out FILE.',
    );
  try {
    return createPrivateKey({ key: pem, format: 'pem' });
  } catch {
    // What the parser says may quote the key.
    throw refusal(`${path} does not hold a private key in PEM.`);
  }
}

const refusal = (message: string, hint?: string): SpillwayError =>
  new SpillwayError('evidence_key_invalid', `--evidence-key: ${message}`, hint === undefined ? {} : { hint });
