import type { ToolManifest } from '../../shared/core/tools/manifest.ts';
import { toolNames } from '../../shared/core/tools/names.ts';

export type StructuredTool = Pick<
  ToolManifest,
  'name' | 'identifier' | 'api' | 'category' | 'runs' | 'faces'
>;

/** The folders, lists and tables that {@link structureProblems} judges. */
export interface StructureWorld {
  /** The list of `shared/core/tools/manifests.generated.ts`. */
  readonly listed: readonly StructuredTool[];
  /** Tool → the manifests that its `manifest.ts` exports. */
  readonly written: Readonly<Record<string, readonly StructuredTool[]>>;
  /** Tool → its parts, of each side. */
  readonly shared: Readonly<Record<string, readonly string[]>>;
  readonly server: Readonly<Record<string, readonly string[]>>;
  readonly extension: Readonly<Record<string, readonly string[]>>;
  /** Identifier → the faces that its rows in `extension/ui/faces` have. */
  readonly panel: Readonly<Record<string, readonly string[]>>;
  /** Identifier → apis, as its loader in `server/core/runtimes.generated.ts` gives them. */
  readonly runtimes: Readonly<Record<string, readonly string[]>>;
  /** Keys of `RUN_WORKERS`: identifiers. */
  readonly workers: readonly string[];
  /** Tools whose methods are in the table of `shared/core/tools/methods.generated.ts`. */
  readonly methods: readonly string[];
  /** Tools whose handlers are in the table of `extension/core/worker/handlers.generated.ts`. */
  readonly handlers: readonly string[];
  /** Sections of `docs/tools.md`. */
  readonly sections: readonly string[];
}

/**
 * Declared parts that a tool lacks, and parts that no tool declares: each a sentence that begins with the tool or
 * folder and names the place to look at.
 */
export function structureProblems(world: StructureWorld): string[] {
  const { listed, sections } = world;
  const identifiers = [...new Set(listed.map(({ identifier }) => identifier))];
  const toolsOf = (identifier: string): StructuredTool[] =>
    listed.filter((tool) => tool.identifier === identifier);
  return [
    ...manifestProblems(world),
    ...identifiers.flatMap((identifier) => [
      ...runtimeProblems(world, identifier, toolsOf(identifier)),
      ...extensionProblems(world, identifier, toolsOf(identifier)),
      ...panelProblems(world, identifier, toolsOf(identifier)),
    ]),
    ...strayProblems(world, identifiers),
    ...workerProblems(world),
    ...differences(
      listed.map(({ name }) => name),
      sections,
      {
        missing: (name) => `${name}: has no section in docs/tools.md; run npm run docs`,
        stray: (name) => `${name}: has a section in docs/tools.md but is not a tool; run npm run docs`,
      },
    ),
  ];
}

/** Judges the parts of one identifier, which are those of its tools. */
type Judge = (world: StructureWorld, identifier: string, tools: readonly StructuredTool[]) => string[];

function differences(
  wanted: readonly string[],
  found: readonly string[],
  say: { readonly missing: (name: string) => string; readonly stray: (name: string) => string },
): string[] {
  return [
    ...wanted.filter((name) => !found.includes(name)).map(say.missing),
    ...found.filter((name) => !wanted.includes(name)).map(say.stray),
  ];
}

/** Every existing manifest is listed, once, in the folder that it names. */
function manifestProblems({ listed, written }: StructureWorld): string[] {
  const problems: string[] = [];
  const names = listed.map(({ name }) => name);
  for (const name of new Set(names.filter((each, at) => names.indexOf(each) !== at)))
    problems.push(`${name}: appears twice in shared/core/tools/manifests.generated.ts`);
  for (const [folder, tools] of Object.entries(written)) {
    if (tools.length === 0) problems.push(`${folder}: its ${folder}.manifest.ts exports no manifest`);
    for (const { name, identifier } of tools) {
      if (identifier !== folder)
        problems.push(
          `${name}: its identifier is ${identifier}, but its manifest is in ${folder}.manifest.ts`,
        );
      if (!names.includes(name))
        problems.push(
          `${name}: ${folder}.manifest.ts has it, shared/core/tools/manifests.generated.ts does not list it`,
        );
    }
  }
  const known = Object.values(written).flatMap((tools) => tools.map(({ name }) => name));
  for (const name of names)
    if (!known.includes(name)) problems.push(`${name}: is listed, but no manifest.ts of shared has it`);
  return problems;
}

const runtimeProblems: Judge = (world, identifier, tools) => {
  const problems: string[] = [];
  if (world.server[identifier]?.includes('runtime') !== true)
    problems.push(`${identifier}: its ${identifier}.runtime.ts is missing in server`);
  const apis = world.runtimes[identifier];
  if (apis === undefined)
    return [...problems, `${identifier}: RUNTIMES of server/core/runtimes.generated.ts has no line for it`];
  const declared = tools.map(({ api }) => api);
  for (const api of new Set(declared.filter((each, at) => declared.indexOf(each) !== at)))
    problems.push(`${identifier}: two of its manifests have the api ${api}`);
  return [
    ...problems,
    ...differences(declared, apis, {
      missing: (api) => `${identifier}: its runtimes have no api ${api}`,
      stray: (api) => `${identifier}: its runtimes have the api ${api}, which no manifest declares`,
    }),
  ];
};

/** Both halves of a tool's browser side: the methods on the wire, and their handlers. */
const extensionProblems: Judge = (world, identifier, tools) => {
  const place = `${identifier}.handler.ts`;
  const isDeclared = tools.some(({ faces }) => faces.extension);
  const files = world.extension[identifier];
  const problems: string[] = [];
  if (!isDeclared) {
    if (files !== undefined)
      problems.push(`${identifier}: ${place} exists, but no manifest declares faces.extension`);
  } else if (files?.includes('handler') !== true)
    problems.push(`${identifier}: its ${place} is missing in extension`);
  else if (!world.handlers.includes(identifier))
    problems.push(`${identifier}: extension/core/worker/handlers.generated.ts does not take ${place}`);
  if (world.shared[identifier]?.includes('methods') !== true) return problems;
  if (!isDeclared)
    problems.push(`${identifier}: has ${identifier}.methods.ts, but no manifest declares faces.extension`);
  if (!world.methods.includes(identifier))
    problems.push(
      `${identifier}: shared/core/tools/methods.generated.ts does not take ${identifier}.methods.ts`,
    );
  return problems;
};

/** Faces that a row has if it has one of their members; each row has an Inspector and a Render. */
const FACES = {
  awaits: 'Placeholder',
  streams: 'Streaming',
  intervention: 'Intervention',
  form: 'Intervention',
  portal: 'Portal',
};

/** The faces that the rows of the panel have, by identifier. */
export function facesIn(rows: Readonly<Record<string, object>>): StructureWorld['panel'] {
  const all: Record<string, string[]> = {};
  for (const [api, row] of Object.entries(rows)) {
    const { identifier } = toolNames(api) ?? { identifier: api };
    const more = Object.entries(FACES).flatMap(([member, face]) => (member in row ? [face] : []));
    all[identifier] = [...new Set([...(all[identifier] ?? []), 'Inspector', 'Render', ...more])];
  }
  return all;
}

const panelProblems: Judge = (world, identifier, tools) => {
  const declared = [...new Set(tools.flatMap(({ faces }) => faces.panel))];
  return differences(declared, world.panel[identifier] ?? [], {
    missing: (face) => `${identifier}: its row in extension/ui/faces has no ${face}`,
    stray: (face) => `${identifier}: its row in extension/ui/faces has ${face}, which no manifest declares`,
  });
};

/** Folders and lines that belong to no tool. */
function strayProblems(world: StructureWorld, identifiers: readonly string[]): string[] {
  const rooms = {
    shared: Object.keys(world.shared),
    server: Object.keys(world.server),
    extension: Object.keys(world.extension),
    'the rows of extension/ui/faces': Object.keys(world.panel),
    'RUNTIMES of server/core/runtimes.generated.ts': Object.keys(world.runtimes),
  };
  return Object.entries(rooms).flatMap(([room, names]) =>
    names
      .filter((name) => !identifiers.includes(name))
      .map((name) => `${name}: is in ${room}, but no listed manifest has it as its identifier`),
  );
}

function workerProblems({ listed, workers }: StructureWorld): string[] {
  const starters = listed
    .filter(({ runs, identifier }) => runs && identifier !== 'runs')
    .map(({ identifier }) => identifier);
  return differences(starters, workers, {
    missing: (name) =>
      `${name}: its calls are runs, but RUN_WORKERS of server/core/runtimes.generated.ts has no line for it`,
    stray: (name) =>
      `${name}: is in RUN_WORKERS of server/core/runtimes.generated.ts, but is not a tool whose calls are runs`,
  });
}
