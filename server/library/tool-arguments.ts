import type { z } from 'zod';
import type { MANIFESTS, ToolName } from '../../shared/core/tools/index.ts';

type InputOf<Name extends ToolName> = Extract<(typeof MANIFESTS)[number], { readonly name: Name }>['input'];

/** The arguments of every tool, by its name. The package declares them with a comment on each field (`scripts/lib/tool-arguments.ts`). */
export type ToolArguments = { [Name in ToolName]: z.input<InputOf<Name>> };
