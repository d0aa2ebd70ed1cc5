import type { Plugin } from 'vite';

/**
 * Parts of Zod for JSON Schemas, compiled schemas and cycles, which neither the extension nor the thread for PDFs uses.
 */
const UNUSED_OF_ZOD = /\/zod\/v4\/core\/(?:json-schema-processors|to-json-schema|memoizer|doc)\.js$/;

/** String methods that check a format: functions such as `z.iso.datetime()` are used instead. */
const FORMATS_OF_STRINGS =
  /^ {4}\w+\(params\) \{\n *return this\.check\(core\._\w+\(Zod\w+, params\)\);\n {4}\},$/gm;

/**
 * Zod without code that each of its schemas would pull in for these. Its objects do not compile themselves: extensions
 * may not.
 */
export const leanZod: Plugin = {
  name: 'spillway:lean-zod',
  transform: (code, id) => {
    if (/\/zod\/v4\/(?:classic|mini)\/schemas\.js$/.test(id))
      return code
        .replaceAll(/^ *inst\._zod\.processJSONSchema = .*;$/gm, '')
        .replaceAll(FORMATS_OF_STRINGS, '')
        .replaceAll('$ZodObjectJIT', '$ZodObject');
    if (!UNUSED_OF_ZOD.test(id)) return null;
    const names = [...code.matchAll(/^export (?:const|function|class) ([\w$]+)/gm)];
    return names.map(([, name]) => `export const ${name} = () => undefined;`).join('\n');
  },
};
