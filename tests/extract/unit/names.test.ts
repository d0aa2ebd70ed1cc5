import { expect, test } from 'vitest';
import { matchName, normaliseName, MATCH_CONFIDENCE } from '../../../shared/libraries/values/names.ts';
import { synonymsOf } from '../../../server/extract/synonyms.ts';

test.each([
  ['reviewCount', 'review count'],
  ['Größe', 'große'.normalize('NFKD').replace(/\p{M}/gu, '')],
  ['categories', 'category'],
  ['status', 'status'],
  ['Área (km²)', 'area km2'],
])('names %s → %s', (text, normal) => expect(normaliseName(text)).toBe(normal));

const field = (name: string, hint = '', aliases: string[] = []) => {
  const names = [name, ...aliases].map(normaliseName);
  return { names, synonyms: synonymsOf(names).synonyms, hint: normaliseName(hint) };
};

test.each<[string, string, number]>([
  ['price', 'Price', MATCH_CONFIDENCE.name],
  ['product_price', 'price', MATCH_CONFIDENCE.synonym],
  ['price', 'member-price', MATCH_CONFIDENCE.part],
  ['area', 'Area (km²)', MATCH_CONFIDENCE.name * 0.98],
  ['name', 'Surname', 0],
  ['post_number', 'Posts', 0],
])('names %s by %s: %d', (name, label, score) => expect(matchName(field(name), label)).toBeCloseTo(score, 5));
