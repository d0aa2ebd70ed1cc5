import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { RankTools, SelectableTool } from '../../../server/core/registry/selector.ts';

const FOLDER = resolve(import.meta.dirname, '../../../bench/selection');
const read = (file: string): unknown => JSON.parse(readFileSync(resolve(FOLDER, file), 'utf8'));

const Servers = z.array(
  z.object({
    id: z.string(),
    tools: z.array(
      z.object({
        name: z.string(),
        title: z.string().optional(),
        description: z.string(),
        parameters: z.record(z.string(), z.string()),
      }),
    ),
  }),
);

const Query = z.strictObject({
  query: z.string(),
  tools: z.array(z.string()).min(1),
  set: z.enum(['dev', 'held', 'fresh', 'unseen']),
  all: z.literal(true).optional(),
});
export type LabelledQuery = z.output<typeof Query>;

export interface LabelledTool extends SelectableTool {
  /** `server/tool`, as the queries name it. */
  readonly label: string;
}

/** Tools of many public servers, under the names that a client of all of them would list. */
export const readTools = (file = 'tools.json'): readonly LabelledTool[] =>
  Servers.parse(read(file)).flatMap(({ id, tools }) =>
    tools.map(({ name, title, description, parameters }) => ({
      label: `${id}/${name}`,
      name: `${id}_${name}`,
      title,
      description,
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(parameters).map(([parameter, text]) => [parameter, { description: text }]),
        ),
      },
    })),
  );

export const readQueries = (file = 'queries.json'): readonly LabelledQuery[] =>
  z.array(Query).parse(read(file));

/** More queries, over tools of other servers: some to tune with, and some that nobody tuned for. */
export const readMore = (
  set: 'dev' | 'fresh' | 'unseen',
): { readonly tools: readonly LabelledTool[]; readonly queries: readonly LabelledQuery[] } => ({
  tools: readTools(`${set}-tools.json`),
  queries: readQueries(`${set}-queries.json`),
});

const Answers = z.record(z.string(), z.array(z.string()));
const Asked = z.object({ query: z.string() });

/** A model with recorded answers. It fails for an unrecorded query. */
export function recordedModel(set: 'held' | 'fresh'): RankTools {
  const answers = z.object({ held: Answers, fresh: Answers }).parse(read('model-answers.json'))[set];
  return async (prompt) => {
    const request = prompt.split('\n').find((line) => line.startsWith('{"query"')) ?? '{}';
    const { query } = Asked.parse(JSON.parse(request));
    const names = answers[query];
    if (names === undefined) throw new Error(`No answer was recorded for "${query}".`);
    return JSON.stringify(names);
  };
}

/** Labels of the tools that a query finds, the best first. */
export type Find = (query: string) => Promise<readonly string[]>;

/** The mean recall among the first `count` tools. */
export async function recallAt(
  count: number,
  queries: readonly LabelledQuery[],
  find: Find,
): Promise<number> {
  let sum = 0;
  for (const { query, tools, all } of queries) {
    const found = new Set((await find(query)).slice(0, count));
    const hits = tools.filter((tool) => found.has(tool)).length;
    sum += all === true ? hits / tools.length : Math.min(hits, 1);
  }
  return sum / queries.length;
}
