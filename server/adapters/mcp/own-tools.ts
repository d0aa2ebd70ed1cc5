import { CallToolResultSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import type { ToolCall } from '../../core/calls/call.ts';
import { isSilent } from '../../core/calls/call-results.ts';
import { publicFields } from '../../core/registry/public-fields.ts';
import { toCallToolResult } from './result.ts';
import type { AdapterTool, Extra, McpSession } from './session.ts';

const Arguments = z.record(z.string(), z.json());

/** How the adapter's own tool is called. */
interface OwnCall {
  readonly call: ToolCall;
  readonly extra: Extra;
  readonly mcp: McpSession;
}

/**
 * Calls a tool of the adapter's own. It goes around the pipeline, but not around its end: whatever it
 * throws, and an answer that no client could read, is a coded and redacted result.
 */
export async function callOwnTool(own: AdapterTool, { call, extra, mcp }: OwnCall): Promise<CallToolResult> {
  const { executor } = mcp.options;
  const { widgets } = executor.registry.mode;
  try {
    const args = Arguments.safeParse(call.args ?? {});
    if (!args.success)
      throw new SpillwayError('invalid_argument', `${own.tool.name}: the arguments are not a JSON object.`);
    const answer = await own.call(args.data, extra, mcp);
    expectReadable(answer, own.tool);
    if (answer.isError === true && isSilent(answer.content))
      throw new SpillwayError('internal_error', `${own.tool.name} failed and gave no reason.`);
    return publicFields(answer, widgets);
  } catch (thrown) {
    return toCallToolResult(await executor.failed(call, thrown), widgets);
  }
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
