/**
 * A `fetch` that answers as the Messages API would: with two tool calls, then with what the tools said.
 * It lets the example run without a key.
 */
export function scriptedClaude(url) {
  return async (_address, { body }) => {
    const { messages } = JSON.parse(body);
    const calls = [
      { type: 'tool_use', id: 'toolu_1', name: 'navigate', input: { url } },
      { type: 'tool_use', id: 'toolu_2', name: 'read_page', input: {} },
    ];
    // The conversation grows by two messages with each call.
    const call = calls[(messages.length - 1) / 2];
    return call === undefined
      ? stream({ type: 'text', text: summary(messages) }, 'end_turn')
      : stream(call, 'tool_use');
  };
}

function summary(messages) {
  const [{ content }] = messages.at(-1).content;
  return `The page begins: ${content[0].text.slice(0, 60)}`;
}

function stream(block, stopReason) {
  const usage = { input_tokens: 0, output_tokens: 0 };
  const isText = block.type === 'text';
  const delta = isText
    ? { type: 'text_delta', text: block.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted', content: [], usage };
  const events = [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
    {
      type: 'content_block_start',
      index: 0,
      content_block: isText ? { ...block, text: '' } : { ...block, input: {} },
    },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
}
