import { describe, expect, test } from 'vitest';
import { ANIMAL_SCHEMA, numbered, type Animal } from '../support/animals.ts';
import { launched } from '../support/launched.ts';

const { site, server } = await launched();

async function open(page: string): Promise<void> {
  const opened = await server.call('navigate', { url: `${site.url}/cards/${page}.html` });
  expect(opened.isError, opened.text).toBe(false);
}

/** All animals of the page of the tab, which is behind the front one. */
async function scrollThrough(page: string, args: Record<string, unknown> = {}) {
  await open(page);
  const answer = await server.call('extract_data', {
    ...{ schema: ANIMAL_SCHEMA, multiple: true, scroll: 'to_end' },
    ...args,
  });
  expect(answer.isError, answer.text).toBe(false);
  return { animals: answer.json<Animal[]>(), notes: answer.notes };
}

/** What an attribute of the page says of its scroll positions. */
async function topOf(selector: string): Promise<unknown> {
  const answer = await server.call('extract_data', {
    schema: { type: 'object', properties: { top: { type: 'string' } } },
    selectors: { top: { selector, attr: 'data-top' } },
  });
  return answer.json<{ top: unknown }>().top;
}

describe('extract_data { scroll: "to_end" } of a hidden tab', () => {
  test('takes the rows of a counted grid, and says how many are missing when it is bounded', async () => {
    const { animals, notes } = await scrollThrough('virtual');
    expect(animals.map(({ name }) => name)).toEqual(numbered(1, 40).map(({ name }) => name));
    expect(notes).not.toContain('virtual_list');
    const bounded = await scrollThrough('virtual', { max_scrolls: 1 });
    expect(bounded.animals.length).toBeLessThan(40);
    expect(bounded.notes).toContain('scroll_stopped: max_scrolls is 1; there may be more below.');
    expect(bounded.notes).toMatch(/virtual_list: \d+ /);
  });

  test('loads lazy parts, and the inner part that grows; everything is scrolled back', async () => {
    const { animals } = await scrollThrough('lazy');
    expect(animals).toEqual(numbered(1, 33));
    await expect.poll(() => topOf('body')).toBe('300 0');
  });
});
