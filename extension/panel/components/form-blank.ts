import type { fromMarkdown } from 'mdast-util-from-markdown';

type Extensions = NonNullable<NonNullable<Parameters<typeof fromMarkdown>[1]>['extensions']>;
type Extension = Extract<Extensions[number], { readonly text?: unknown }>;

const OPEN = 91;
const CLOSE = 93;
const LINE = 95;

/** Takes an empty field of a form (`[____]`) for text: two of them in a paragraph would mark what is between them as bold. */
export const formBlank: Extension = {
  text: {
    [OPEN]: {
      name: 'formBlank',
      add: 'before',
      tokenize: (effects, ok, nok) => {
        let length = 0;
        return (open) => {
          effects.enter('data');
          effects.consume(open);
          return function rest(code) {
            const isLine = code === LINE;
            if (!isLine && (code !== CLOSE || length < 2)) return nok(code);
            effects.consume(code);
            length += 1;
            if (isLine) return rest;
            effects.exit('data');
            return ok;
          };
        };
      },
    },
  },
};
