import { expect, it } from 'vitest';
import { PLACES } from './canaries.ts';
import { redactor } from './chunks.ts';
import { ISSUED, ISSUER_PLACES, Random, SHAPED } from './kinds.ts';
import { rounds } from '../../../support/depth.ts';

/** Odd seeds are the half that the rules were developed against. */
const SEEDS = Array.from({ length: rounds(20, 4) }, (_, index) => index + 1);

/** Enough of a secret to be useful to a reader. */
function shows(text: string, secret: string): boolean {
  return text.includes(secret.slice(8)) || text.includes(secret.slice(-8));
}

it.each(Object.entries(SHAPED))('secrets in the formats of their issuers %s', (_name, make) => {
  const secrets = SEEDS.map((seed) => make(new Random(seed)));
  const missed = PLACES.flatMap(([place, before, after]) =>
    secrets
      .filter((secret) => shows(redactor.text(before + secret + after), secret))
      .map((secret) => `${place}: ${secret}`),
  );
  // A secret without a prefix can look like something else: random letters may spell a path.
  const most = /AWS secret/.test(_name) ? PLACES.length : 0;
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(most);
});

it.each(Object.entries(ISSUED))('values next to the name of their issuer %s', (_name, [name, make]) => {
  const missed = Object.entries(ISSUER_PLACES).flatMap(([place, write]) =>
    SEEDS.map((seed) => make(new Random(seed)))
      .filter((secret) => shows(redactor.text(write(name, secret)), secret))
      .map((secret) => `${place}: ${secret}`),
  );
  expect(missed).toEqual([]);
});
