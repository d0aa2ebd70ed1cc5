import { isForModels, isFound } from '../core/registry/audience.ts';
import type { ClientSession } from '../core/context.ts';
import type { ToolDefinition } from '../core/registry/definition.ts';
import { lazy } from '../core/lazy.ts';
import type { ToolRegistry } from '../core/registry/registry.ts';
import { toSelectable } from '../core/registry/selectable.ts';
import { withCompanions } from '../core/registry/selection.ts';
import type { ToolSelector } from '../core/registry/selector.ts';
import type { ListedTool, SpillwaySession } from './types.ts';

/** By words, with an index that all sessions of the process share while their tools are the same. */
const loadSelector = lazy(async (): Promise<ToolSelector> => {
  const { createToolSelector } = await import('../toolkit/selection/index.ts');
  return createToolSelector();
});

interface SelectParts {
  readonly registry: ToolRegistry;
  readonly session: ClientSession;
  readonly toolSelector: ToolSelector | undefined;
  readonly toListed: (definition: ToolDefinition) => ListedTool;
}

/** `select` of a session. */
export function createSelect({
  registry,
  session,
  toolSelector,
  toListed,
}: SelectParts): SpillwaySession['select'] {
  return async ({
    query,
    messages = [],
    budget_tokens,
    selector = toolSelector,
    signal = session.signal,
  }) => {
    const { lastQuestion } = await import('../toolkit/selection/messages.ts');
    const chooser = selector ?? (await loadSelector());
    const tools = registry.all().filter(isFound);
    const selection = await chooser.select({
      query: query ?? lastQuestion(messages),
      messages,
      tools: tools.map(toSelectable),
      budget_tokens,
      signal,
    });
    const known = new Set(tools.map(({ manifest }) => manifest.name));
    const always = tools.filter(({ manifest }) => manifest.tier === 1).map(({ manifest }) => manifest.name);
    const chosen = selection.tools.map(({ name }) => name).filter((name) => known.has(name));
    const names = withCompanions(registry, [...chosen, ...always]);
    // What a model is shown it may call: it is listed from now on.
    session.tools.add(names);
    return {
      tools: names
        .map((name) => registry.get(name))
        .filter(isForModels)
        .map(toListed),
      notes: selection.notes,
    };
  };
}
