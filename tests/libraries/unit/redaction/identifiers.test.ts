import { describe, expect, it } from 'vitest';
import { identifier } from '../../../../server/libraries/redaction/clean.ts';
import { createRunId } from '../../../../server/runs/run-store.ts';
import { hashKey } from '../../../../server/crawl/address.ts';
import { plantSecrets } from '../../../support/planted-secrets.ts';

const FORMS = ['run', 'handle', 'digest'] as const;

describe.each(FORMS)('an identifier of the form %s', (form) => {
  it('is not a secret of any known shape', () => {
    const secrets = plantSecrets().filter(({ place, name }) => place === 'text' && /^k\d+$/.test(name));
    expect(secrets.length).toBeGreaterThan(20);
    for (const { value } of secrets)
      expect(() => identifier(form, value), value).toThrow('not an identifier');
  });

  it('has nothing before or after it, and is not quoted when it is refused', () => {
    const id = { run: createRunId(), handle: 'oh_ABCDEFGHIJKL', digest: hashKey('text') }[form];
    expect(identifier(form, id)).toBe(id);
    for (const text of [`${id} `, `${id}\n`, ` ${id}`, `${id}${id}`, ''])
      expect(() => identifier(form, text), text).toThrow('not an identifier');
    expect(() => identifier(form, 'a text of a page')).toThrow(
      expect.objectContaining({ code: 'internal_error', message: expect.not.stringContaining('page') }),
    );
  });
});
