import { z } from 'zod';
import { oneRisk, type StepRisk } from '../policy/call-risks.ts';
import type { JsonObject } from '../../base/json.ts';

/** When a tool is listed: 1 always, 2 by default, 3 found by `find_tools`. */
export type ToolTier = 1 | 2 | 3;

/** Selectable groups (`--tools`). */
export const TOOL_CATEGORIES = [
  'read',
  'act',
  'capture',
  'runs',
  'output',
  'human',
  'upstream',
  'recipes',
  'docs',
  'dev',
  'experimental',
] as const;
export type ToolCategory = (typeof TOOL_CATEGORIES)[number];

type ToolRisk = 'none' | 'reads_page' | 'changes_browser' | 'acts_on_page';

/** The MCP hints; all four are always explicit. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** Whether a call may be a protocol task: it continues while the client polls its state. */
type TaskSupport = 'forbidden' | 'optional';

export type SessionFact = 'has_run' | 'has_pick';

/** The faces that people see in the panel (its row in `extension/ui/faces`). */
type PanelFace = 'Inspector' | 'Render' | 'Placeholder' | 'Streaming' | 'Intervention' | 'Portal';

interface ToolFlags {
  /** Not shown in the panel. */
  readonly hidden: boolean;
  /** `find_tools` finds it. */
  readonly discoverable: boolean;
  /** It works when a session has used its budget: it ends work or asks a person, and its answers are short. */
  readonly unbudgeted: boolean;
  /**
   * Null, or the fact of a session with which the tool joins its list. Categories do not include it; its name
   * does.
   */
  readonly runtimeManaged: SessionFact | null;
}

/** The rooms in which a tool has a face besides manifest and runtime. */
interface ToolFaces {
  /** `<identifier>.handler.ts`: its browser half. A tool with a risk has one by default. */
  readonly extension: boolean;
  /** Those of its row in `extension/ui/faces`. */
  readonly panel: readonly PanelFace[];
}

/** Names of our own tools. */
export const NAME_PATTERN = /^[a-z][a-z0-9_]{2,63}$/;

/** Names of providers' tools: every name that all clients accept, with its case kept. */
export const PROVIDED_NAME_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;

type Output = z.ZodObject | null;

/** Members of an answer that faces read: of its value, with fields that `output` does not have, and of its state. */
export interface ShownSchemas {
  readonly value?: z.ZodObject;
  readonly state?: z.ZodObject;
}

/** A tool as frozen data; its functions are pure. */
export interface ToolManifest<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Spills extends boolean = boolean,
  Answer extends Output = Output,
  Shown extends ShownSchemas = ShownSchemas,
> {
  /** Matches {@link NAME_PATTERN}, or {@link PROVIDED_NAME_PATTERN} for a provider's tool. */
  readonly name: Name;
  /** Key of its words in `extension/ui/words`; several tools may share one (`runs`). */
  readonly identifier: string;
  /** Selects one of the identifier's runtimes: its name, except for a twin in another presentation. */
  readonly api: string;
  readonly title: string;
  readonly category: ToolCategory;
  readonly tier: ToolTier;
  /** Its position in lists, lowest first; tools with the same position are sorted by name. */
  readonly order: number;
  readonly risk: ToolRisk;
  /** Null for a tool that touches no page. Default of one that reads pages: that risk. */
  readonly risksOf: ((args: JsonObject) => readonly StepRisk[]) | null;
  /** The steps of a call in short lines, for the record. */
  readonly stepsOf?: (args: JsonObject) => readonly string[];
  /** Make the description together, at most 500 characters. */
  readonly does: string;
  readonly use: string;
  readonly avoid: string;
  /** Synonyms of its purpose. `find_tools` searches them; no list has them. */
  readonly keywords: string;
  readonly input: Input;
  /**
   * Fields of its JSON answer: an object as it is, a list as `{ items }`. Null if the answer is text or
   * bytes. A stored answer is a descriptor instead.
   */
  readonly output: Answer;
  /** Default: `output` as the value, and no state. */
  readonly shown: Shown;
  readonly annotations: ToolAnnotations;
  /** Its payload goes through the output policy: it takes `output_mode`. */
  readonly spills: Spills;
  /** Its calls are runs, or may be: they return a run id if they take long. */
  readonly runs: boolean;
  /** Tools that a session needs with it, besides those of `spills` and `runs`. */
  readonly needs: readonly string[];
  readonly systemRole: string | null;
  readonly tasks: TaskSupport;
  readonly flags: ToolFlags;
  readonly faces: ToolFaces;
}

/** The position of a tool that names none: after those that do. */
const UNORDERED = 1_000;
const FLAGS: ToolFlags = { hidden: false, discoverable: true, unbudgeted: false, runtimeManaged: null };
const PANEL: readonly PanelFace[] = ['Inspector', 'Render'];

/** Everything else has a default. */
type RequiredField = 'name' | 'title' | 'category' | 'risk' | 'does' | 'input' | 'annotations';

/** A manifest as it is written down. */
export type ToolDraft<
  Name extends string,
  Input extends z.ZodObject,
  Spills extends boolean = boolean,
  Answer extends Output = Output,
  Shown extends ShownSchemas = ShownSchemas,
> = Pick<ToolManifest<Name, Input, Spills>, RequiredField> &
  Partial<
    Omit<ToolManifest<Name, Input, Spills, Answer, Shown>, RequiredField | 'api' | 'flags' | 'faces'>
  > & {
    readonly flags?: Partial<ToolFlags>;
    readonly faces?: Partial<ToolFaces>;
  };

/** Completes a manifest and freezes it deeply, except for its schemas, which zod owns. */
export function defineTool<
  const Name extends string,
  Input extends z.ZodObject,
  const Spills extends boolean = false,
  Answer extends Output = null,
  Shown extends ShownSchemas = Record<never, never>,
>(draft: ToolDraft<Name, Input, Spills, Answer, Shown>): ToolManifest<Name, Input, Spills, Answer, Shown>;
export function defineTool(draft: ToolDraft<string, z.ZodObject>): ToolManifest {
  const { name, risk, runs = false } = draft;
  return freezeManifest({
    identifier: name,
    api: name,
    tier: 3,
    order: UNORDERED,
    use: '',
    avoid: '',
    keywords: '',
    output: null,
    shown: {},
    risksOf: risk === 'reads_page' ? oneRisk('read') : null,
    spills: false,
    runs,
    needs: [],
    systemRole: null,
    tasks: runs ? 'optional' : 'forbidden',
    ...draft,
    flags: { ...FLAGS, ...draft.flags },
    faces: { extension: risk !== 'none', panel: PANEL, ...draft.faces },
  });
}

/** Freezes a manifest deeply, except for its schemas. */
export function freezeManifest<Manifest extends ToolManifest>(manifest: Manifest): Manifest {
  const { shown, annotations, needs, flags, faces } = manifest;
  for (const part of [shown, annotations, needs, flags, faces, faces.panel]) Object.freeze(part);
  return Object.freeze(manifest);
}

/** The single description string that is sent on a wire. */
export const describeTool = ({ does, use, avoid }: Pick<ToolManifest, 'does' | 'use' | 'avoid'>): string =>
  `${does} ${use} ${avoid}`.trim();

/**
 * Marks a field whose name is clear enough: a list shows it without its description, which costs tokens in
 * every turn.
 */
export const OBVIOUS = 'x-obvious';

/** The description of a field that is only for people who read the reference. */
export const obvious = (description: string) => ({ description, [OBVIOUS]: true });

/** A text that is not empty. */
export const textField = (maxUnits: number) => z.string().min(1).max(maxUnits);

/** `b1`. */
const BROWSER_ID_PATTERN = /^b[1-9]\d{0,5}$/;
/** `b1:42` (browser 1, its tab 42), or the user's front tab on purpose. */
const TAB_PATTERN = /^(active|b[1-9]\d{0,5}:\d{1,10})$/;
/** The same, or every tab that the client opened or named. */
const TABS_PATTERN = /^(active|all|b[1-9]\d{0,5}:\d{1,10})$/;

/** A tab that the caller names. A pattern instead of a union: a list shows it in a third of the tokens. */
export const tabField = z
  .string()
  .regex(TAB_PATTERN, 'takes a tab id such as b1:42, or "active"')
  .meta(obvious('Id or active; default current'));

/** A tab, or all of the client's. */
export const tabsField = z
  .string()
  .regex(TABS_PATTERN, 'takes a tab id such as b1:42, "active" or "all"')
  .describe('Id, active or all in this session');

/** Facts of a page: null or missing if they are unknown. */
export const pageState = { url: z.string().nullish(), title: z.string().nullish() };

/** Chooses among several browsers. */
export const browserField = z
  .string()
  .regex(BROWSER_ID_PATTERN, 'takes a browser id such as b1')
  .meta(obvious('Id such as b1'));

/** `run_` and 12 characters of RFC 4648 base32. */
export const RUN_ID_PATTERN = /^run_[A-Z2-7]{12}$/;

/** A run, as a long call returned it. Any text is accepted: a malformed one is `run_not_found`. */
export const runField = z.string().max(64).meta(obvious('Run id'));

export const scrollFields = {
  scroll: z.enum(['to_end']).optional().describe('Load lazy lists first'),
  max_scrolls: z.int().min(1).max(5_000).optional().meta(obvious('Default 1000')),
};

/** The answer of a call that starts a run: its items, or the run's id while it is active. */
export const RunAnswerFields = z.looseObject({
  items: z.array(z.unknown()).optional(),
  run_id: z.string().optional(),
  status: z.string().optional(),
  progress: z.looseObject({}).optional(),
});

/** All given conditions must be met at once. */
export const WaitFor = z
  .strictObject({
    text: z.string().trim().min(1).max(1_000).optional().describe('Visible text'),
    selector: textField(2_000).optional().describe('CSS selector of a visible element'),
    network_idle: z.boolean().optional().describe('No requests for 500 ms'),
    timeout_ms: z.int().min(100).max(120_000).default(10_000).describe('Time limit'),
  })
  .refine(
    ({ text, selector, network_idle: networkIdle }) =>
      text !== undefined || selector !== undefined || networkIdle === true,
    { error: 'pass text, selector or network_idle: true' },
  );
export type WaitFor = z.output<typeof WaitFor>;
