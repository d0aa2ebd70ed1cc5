import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Levels of the bombs that are made of depth. */
const DEEP = 100_000;
const WIDE = 20_000;

const count = (times: number, make: (index: number) => string): string =>
  Array.from({ length: times }, (_, index) => make(index)).join('');

/** Bombs whose tags alone say that they are too deep. */
export const DEEP_BOMBS: Readonly<Record<string, () => string>> = {
  divs: () => '<div>'.repeat(DEEP),
  'divs that end': () => `${'<div>'.repeat(DEEP)}x${'</div>'.repeat(DEEP)}`,
  tables: () => '<table><tr><td>'.repeat(DEEP),
  'tables alone': () => '<table>'.repeat(DEEP),
  lists: () => '<ul><li>'.repeat(DEEP),
  spans: () => '<span>'.repeat(DEEP),
  bold: () => '<b>'.repeat(DEEP),
  'bold of different kinds': () => count(DEEP, (index) => `<b id=b${index}>`),
  'formatting of paragraphs': () => `${count(DEEP, (index) => `<i id=i${index}>`)}${'<p>x'.repeat(DEEP)}`,
  'links around blocks': () => '<a href=x><div>'.repeat(DEEP),
  quotes: () => '<blockquote>'.repeat(DEEP),
  details: () => '<details><summary>'.repeat(DEEP),
  ruby: () => '<ruby><rt>'.repeat(DEEP),
  drawings: () => `<svg>${'<g>'.repeat(DEEP)}`,
  'drawings in drawings': () => '<svg><foreignObject>'.repeat(DEEP),
  formulas: () => '<math><mtext>'.repeat(DEEP),
  templates: () => '<template>'.repeat(DEEP),
  'shadow trees': () => '<div><template shadowrootmode=open>'.repeat(DEEP),
  'stray end tags': () => `${'<div>'.repeat(DEEP)}${'</p>'.repeat(DEEP)}`,
  'custom elements': () => '<x-a>'.repeat(DEEP),
  framesets: () => '<frameset>'.repeat(DEEP),
  'XML elements': () => `<?xml version="1.0"?>${'<a>'.repeat(DEEP)}${'</a>'.repeat(DEEP)}`,
};

/** Bombs that are not deep: each is read, or ended by its deadline. */
export const WIDE_BOMBS: Readonly<Record<string, () => string>> = {
  attributes: () => `<p ${count(WIDE, (index) => `a${index}=1 `)}>x</p>`,
  'a long attribute': () => `<p title="${'x'.repeat(5_000_000)}">x</p>`,
  'body tags': () => count(2_000, (index) => `<body a${index}=1>`),
  'html tags': () => count(2_000, (index) => `<html a${index}=1>`),
  'misnested formatting': () => '<b><i><u><p></b></i></u>'.repeat(WIDE / 10),
  'content next to a table': () => `<table>${'x<b>'.repeat(900)}</table>`,
  cells: () => `<table>${'<tr><td colspan=1000 rowspan=65534>x'.repeat(WIDE / 10)}`,
  options: () => `<select>${'<option>x'.repeat(WIDE)}`,
  comments: () => '<!-- x -->'.repeat(WIDE),
  'comments that do not end': () => '<!--'.repeat(WIDE),
  'scripts in comments': () => `<script>${'<!--<script>'.repeat(WIDE)}`,
  entities: () => '&amp;&notit;&#x110000;'.repeat(WIDE),
  'less-than signs': () => '<'.repeat(WIDE),
  'one long word': () => `<p>${'w'.repeat(1_000_000)}`,
  'an unfinished tag': () => `<div ${'a="'.repeat(WIDE)}`,
};

const PAGES: Readonly<Record<string, () => string>> = { ...DEEP_BOMBS, ...WIDE_BOMBS };
/** The parser of any browser merges the attributes of each further body into the first: minutes. */
const endless = (): string => count(60_000, (index) => `<body a${index}=1>`);
const good = (name: string): string => `<title>${name}</title><p>The good page ${name}.</p>`;

/** A site of all bombs, by their names, and of good pages by all other names. */
export async function serveBombs(): Promise<{ readonly base: string; close(): void }> {
  const server: Server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? '/').slice(1));
    const xml = name.startsWith('XML') ? 'application/xml' : 'text/html; charset=utf-8';
    response.setHeader('content-type', xml);
    response.end(name === 'endless' ? endless() : (PAGES[name]?.() ?? good(name)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://bombs.test:${(server.address() as AddressInfo).port}/`;
  return {
    base,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
