import { clean } from '../../../server/redact/clean.ts';
import { describe, expect, it } from 'vitest';
import { cut, cutUrl } from '../../../shared/cut.ts';
import { boundNotes } from '../../../server/core/calls/notes.ts';

describe('cutUrl', () => {
  it.each([
    ['https://a.test/x?y=1', 100, 'https://a.test/x?y=1'],
    ['https://a.test/x?token=abcdefghijklmnop', 30, 'https://a.test/x? …'],
    ['https://a.test/x#abcdefghijklmnopqrstuv', 30, 'https://a.test/x# …'],
    ['https://a.test/0123456789012345678901234567890', 20, 'https://a.test/…'],
  ])('%s within %i is %s', (url, length, expected) => {
    expect(cutUrl(url, length)).toBe(expected);
    expect(cutUrl(url, length).length).toBeLessThanOrEqual(length);
  });
});

describe('cut', () => {
  it('cuts between words', () => {
    expect(cut('ab 😀cd', 5)).toBe('ab …');
    expect(cut('ab 😀cd', 7)).toBe('ab 😀cd');
  });
});

describe('boundNotes', () => {
  it('keeps ten, and counts the rest', () => {
    const notes = Array.from({ length: 12 }, (_, index) => clean`note ${index}`);
    expect(boundNotes(notes)).toEqual([...notes.slice(0, 10), '2 more like these.']);
    expect(boundNotes(notes.slice(0, 10))).toEqual(notes.slice(0, 10));
  });
});
