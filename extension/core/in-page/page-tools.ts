/*
 * `scripting.executeScript` passes each function to the page as text: it sees only its arguments and the page, nothing
 * else of the extension. Both run in an isolated world first, where no page can replace what they call; only a page
 * with its own `modelContext` gets them in its main world.
 */

/** This document's tools, as plain objects; null without a `modelContext`. */
export async function listDocumentTools(): Promise<object[] | null> {
  const context = document.modelContext ?? navigator.modelContext;
  if (context?.getTools === undefined && context?.listTools === undefined) return null;
  const tools = (await (context.getTools?.() ?? context.listTools?.())) ?? [];
  return [...tools]
    .filter((tool) => tool.window === undefined || tool.window === window)
    .map(({ name, title, description, inputSchema, annotations }) => ({
      name: String(name),
      title: title === undefined || title === '' ? undefined : String(title),
      description: String(description ?? ''),
      schema:
        inputSchema === undefined || inputSchema === null
          ? null
          : typeof inputSchema === 'string'
            ? inputSchema
            : JSON.stringify(inputSchema),
      read_only: annotations?.readOnlyHint === true,
      consequential: annotations?.consequentialHint === true,
      untrusted: annotations?.untrustedContentHint === true,
    }));
}

/** Calls a tool of this document. `absent`: the document no longer declares it. `late`: it did not answer in time. */
export async function callDocumentTool(
  name: string,
  given: object,
  limitMs: number,
): Promise<{ absent?: true; late?: true; failure?: string; answer?: string }> {
  const context = document.modelContext ?? navigator.modelContext;
  if (context === undefined) return { absent: true };
  const signal = AbortSignal.timeout(limitMs);
  try {
    const tools = (await (context.getTools?.() ?? context.listTools?.())) ?? [];
    const isOwn = ({ window: its }: { window?: unknown }): boolean => its === undefined || its === window;
    const tool = [...tools].find((one) => one.name === name && isOwn(one));
    if (tool === undefined) return { absent: true };
    const answer = await (context.executeTool?.(tool, given, { signal }) ??
      context.callTool?.({ name, arguments: given }));
    return { answer: typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? '') };
  } catch (thrown) {
    // The caller's own time limit may be noticed later: a failure at the limit is not the tool's.
    return signal.aborted ? { late: true } : { failure: String(thrown) };
  }
}
