import { describe, expect, it } from 'vitest';
import { conceptsOf } from '../../../server/toolkit/selection/concepts.ts';
import lexicon from '../../../server/toolkit/selection/lexicon.json';
import { meaningsOf } from '../../../server/toolkit/selection/synonyms.ts';
import { isStopWord, splitWords, stemOf } from '../../../server/toolkit/selection/terms.ts';

const concepts = (text: string): readonly string[] =>
  conceptsOf(text).map(({ term, meanings }) => `${term ?? '-'}: ${[...meanings].slice(0, 2).join(' ')}`);

describe('the list of words', () => {
  const leads = Object.entries(lexicon.leads);
  const rows = [...lexicon.same, ...leads.map(([, meant]) => meant)].map((row) => row.split(' '));

  it('names a word once in a row, and none that every text has', () => {
    for (const row of rows) {
      expect(new Set(row.map(stemOf)).size, row.join(' ')).toBe(row.length);
      expect(row.filter(isStopWord)).toEqual([]);
      expect(row.filter((word) => splitWords(word).join() !== word)).toEqual([]);
    }
    expect(lexicon.same.filter((row) => !row.includes(' '))).toEqual([]);
    for (const [said, meant] of leads) expect(meant.split(' '), said).not.toContain(said);
  });

  it('has each row once, and expressions of at most three words', () => {
    const sorted = lexicon.same.map((row) => row.split(' ').sort().join(' '));
    expect(new Set(sorted).size).toBe(sorted.length);
    const keys = leads.map(([said]) => said);
    expect(keys).toEqual([...keys].sort());
    expect(keys.filter((said) => splitWords(said).length > 3)).toEqual([]);
  });
});

describe('what a text asks for', () => {
  it('counts an expression and its words, and drops what every text has', () => {
    expect(concepts('get rid of the umbrella')).toEqual([
      '-: delet remov',
      'get: read retriev',
      'rid: ',
      'umbrella: rain weather',
    ]);
    expect(concepts('GET RID')).toEqual(['get: read retriev', 'rid: ']);
    expect(concepts('who')).toEqual([expect.stringMatching(/^-: user/)]);
    expect(concepts('of the')).toEqual([]);
    expect(concepts('delete, deletes, deleted')).toHaveLength(1);
  });

  it('finds an expression that other words part', () => {
    expect(concepts('take the label off')).toContain('-: remov delet');
    expect(concepts('off the label, take it')).not.toContain('-: remov delet');
  });

  it('knows forms that no ending tells', () => {
    expect(stemOf('sent')).toBe(stemOf('send'));
    expect(stemOf('written')).toBe(stemOf('writing'));
  });

  it('goes one way where words do not stand for each other', () => {
    expect(meaningsOf('umbrella')).toContain('weather');
    expect(meaningsOf('weather')).not.toContain('umbrella');
    expect(meaningsOf(stemOf('delete'))).toContain(stemOf('remove'));
    expect(meaningsOf(stemOf('remove'))).toContain(stemOf('delete'));
    expect(meaningsOf('constructor').size).toBe(0);
    expect(meaningsOf('__proto__').size).toBe(0);
  });
});
