import { generateText, type LanguageModel, type ModelMessage } from 'ai';
import type { RankTools } from '../../core/registry/selector.ts';
import type { SelectOptions, SpillwaySession } from '../../library/types.ts';

/** Options of {@link selectTools}. */
export interface SelectToolsOptions extends Pick<SelectOptions, 'budget_tokens' | 'selector' | 'signal'> {
  /** Names of tools of the caller's own that are shown at each step. */
  readonly ownTools?: readonly string[] | undefined;
}

/**
 * For `prepareStep`: shows the model at each step the tools that fit the conversation (`activeTools`). Any other can still be
 * called by its name.
 */
export function selectTools(
  session: SpillwaySession,
  { ownTools = [], ...options }: SelectToolsOptions = {},
): (step: { readonly messages: readonly ModelMessage[] }) => Promise<{ activeTools: string[] }> {
  return async ({ messages }) => {
    const { tools } = await session.select({ ...options, messages });
    return { activeTools: [...tools.map(({ name }) => name), ...ownTools] };
  };
}

/** For `createToolSelector`: asks a model of the AI SDK. */
export function rankWithModel(model: LanguageModel): RankTools {
  return async (prompt, abortSignal) =>
    (await generateText({ model, prompt, abortSignal, maxRetries: 0 })).text;
}
