import { CallToolResultSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import { isSilent } from '../../core/calls/results.ts';
import { publicFields } from '../../core/registry/public-fields.ts';
import type { OwnTool } from '../../core/own-tool.ts';
import type { ToolResult } from '../../core/result.ts';
import { toCallToolResult } from './result.ts';
import type { AdapterTool, Extra, McpSession } from './session.ts';

/** A tool of the adapter's own as the executor calls it: gate, journal and redaction are those of every call. */
export function toOwnTool(own: AdapterTool, extra: Extra, mcp: McpSession): OwnTool {
  const { tool } = own;
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    isReadOnly: tool.annotations?.readOnlyHint,
    run: async (args, { signal }) => {
      const answer = await own.call(args, { ...extra, signal }, mcp);
      expectReadable(answer, tool);
      if (answer.isError === true && isSilent(answer.content))
        throw new SpillwayError('internal_error', `${tool.name} failed and gave no reason.`);
      return { value: answer, isError: answer.isError === true };
    },
  };
}

/** Redaction keeps the form of what was checked before. */
const Answer = z.custom<CallToolResult>();

/** The end of a call of such a tool in MCP's form: what it answered, or why it was not called. */
export function toOwnResult(result: ToolResult, { options }: McpSession): CallToolResult {
  const { widgets } = options.executor.registry.mode;
  return result.own === undefined
    ? toCallToolResult(result, widgets)
    : publicFields(Answer.parse(result.own), widgets);
}

/**
 * @throws SpillwayError `internal_error` for an invalid tool result, one that cannot be sent as one, or
 * lacks the object that the tool's output schema promises: clients would drop the whole answer
 */
function expectReadable(answer: CallToolResult, { name, outputSchema }: AdapterTool['tool']): void {
  const { success, error } = CallToolResultSchema.safeParse(answer);
  // What no wire can carry throws here, and would leave its client without an answer later.
  if (!success || JSON.stringify(answer) === undefined) {
    const where = error?.issues[0]?.path.map(String).join('.') ?? '';
    throw new SpillwayError(
      'internal_error',
      `${name} returned an invalid result at ${where || 'its root'}.`,
    );
  }
  if (outputSchema === undefined || answer.isError === true || answer.structuredContent !== undefined) return;
  throw new SpillwayError(
    'internal_error',
    `${name} has an output schema but returned no structuredContent.`,
  );
}
