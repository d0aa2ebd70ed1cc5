import { type JsonObject, isObject } from '../../../../shared/json.ts';
import { formatNumber } from '../../../words/format.ts';
import { numberIn, textIn } from '../../components/read-json.ts';
import type { Given, Line, View } from '../block.ts';
import { code } from './values.ts';

function positionOf(
  page: JsonObject,
  words: Given['words']['oc_output_fetch'],
  { openOutput }: Given['actions'],
): Line {
  const handle = textIn(page, 'output_handle');
  const [offset, returned, total] = [
    numberIn(page, 'offset') ?? 0,
    numberIn(page, 'returned') ?? 0,
    numberIn(page, 'total') ?? 0,
  ];
  const range = Array.isArray(page['content']) ? words.items : words.bytes;
  const shown = range(formatNumber(offset + 1), formatNumber(offset + returned), formatNumber(total));
  const isOpenable = openOutput !== null && handle !== null;
  return {
    code: handle,
    quiet: [returned === 0 ? words.nothing : shown],
    marks: [page['eof'] === true ? ['good', words.end] : ['plain', words.more]],
    press: isOpenable ? { name: words.open, label: words.open, do: () => openOutput(handle) } : undefined,
  };
}

export const OUTPUT_VIEWS = {
  oc_output_fetch: ({ value, actions, words: { oc_output_fetch: words } }) => {
    if (!isObject(value)) return [code(value)];
    const { content } = value;
    const label = value['encoding'] === 'base64' ? words.base64 : words.text;
    return [
      { line: positionOf(value, words, actions) },
      Array.isArray(content) && content.length > 0 && { records: content, of: value },
      typeof content === 'string' && content !== '' && { text: content, as: 'code', label },
    ];
  },
} satisfies Readonly<Record<string, View>>;
