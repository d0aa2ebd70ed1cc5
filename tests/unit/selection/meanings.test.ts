import { describe, expect, it } from 'vitest';
import { conceptsOf } from '../../../server/toolkit/selection/concepts.ts';
import { meaningsOf } from '../../../server/toolkit/selection/synonyms.ts';
import { stemOf } from '../../../server/toolkit/selection/terms.ts';

const concepts = (text: string): readonly string[] =>
  conceptsOf(text).map(({ term, meanings }) => `${term ?? '-'}: ${[...meanings].slice(0, 2).join(' ')}`);

describe('what a text asks for', () => {
  it('finds an expression that other words part', () => {
    expect(concepts('take the label off')).toContain('-: remov delet');
    expect(concepts('off the label, take it')).not.toContain('-: remov delet');
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
