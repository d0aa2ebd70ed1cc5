/** Schema of the records on the pages `fixtures/…/cards`. */
export const ANIMAL_SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' }, legs: { type: 'integer' } },
  required: ['name', 'legs'],
};

export interface Animal {
  readonly name: string;
  readonly legs: number;
}

/** The numbered animals that those pages list, both ends included. */
export const numbered = (from: number, to: number): Animal[] =>
  Array.from({ length: to - from + 1 }, (_, at) => ({
    name: `Animal ${from + at}`,
    legs: ((from + at) % 4) * 2,
  }));
