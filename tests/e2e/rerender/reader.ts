import { FilledFields } from '../../../extension/page/act/controls.ts';
import { LentNumbers, type Refs } from '../../../extension/page/refs.ts';
import { ReadSession } from '../../../extension/page/session.ts';
import { ShownSnapshots } from '../../../extension/page/write/snapshot-out.ts';

export const VIEWER = 'reader';
let next = 1;

function lent(): LentNumbers {
  const from = next;
  next += 100_000;
  return new LentNumbers({ viewer: VIEWER, numbers: { from, to: from + 99_999 } });
}

/** Shows the page as it is to the reader, and answers the refs of elements by their names. */
export function read(refs: Refs, elements: ReadonlyMap<string, Element>): Map<string, string> {
  const options = {
    format: 'snapshot',
    selector: null,
    main_content_only: false,
    include_links: false,
    include_hidden: false,
  } as const;
  const context = {
    refPrefix: '',
    linePrefix: '',
    isTop: true,
    frameName: '',
    follows: false,
    bufferBytes: 1 << 26,
    budget: null,
    isCompared: false,
    isOpen: false,
  };
  const session = new ReadSession(options, context, {
    refs,
    lent: lent(),
    unrest: null,
    shown: new ShownSnapshots(),
    filled: new FilledFields(),
  });
  refs.use(lent());
  const shown = new Map([...elements].map(([name, el]) => [name, refs.of(el)]));
  while (session.next().done === null);
  return shown;
}
