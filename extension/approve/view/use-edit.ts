import { useMemo, useState } from 'preact/hooks';
import type { JsonObject } from '../../../shared/json.ts';
import type { ShownQuestion } from '../protocol.ts';
import { isTooLong, readArgs, writeArgs, type ArgsText } from '../words/edited-args.ts';
import type { Strings } from '../words/strings.ts';

/** The arguments of a question, and what a person makes of them. */
export interface Edit {
  /** As text; null where nothing can be changed. */
  readonly text: ArgsText | null;
  /** What will run; null where it is not known. */
  readonly args: JsonObject | null;
  readonly isEdited: boolean;
  /** What keeps the arguments from being sent, or null. */
  readonly problem: string | null;
  /** The problem, where it is that of the text. */
  readonly textProblem: string | null;
  /** Counts changes that were not made in the tool's own fields: these begin again from the arguments. */
  readonly version: number;
  readonly setText: (text: string) => void;
  readonly setArgs: (args: JsonObject, problem: string | null) => void;
  readonly reset: () => void;
}

interface Written {
  readonly text: ArgsText | null;
  readonly args: JsonObject | null;
  readonly problem: string | null;
  readonly textProblem: string | null;
  readonly version: number;
}

/** Whatever a person has changed last, text or fields, is what both show. */
export function useEdit({ tool, args, isEditable }: ShownQuestion, strings: Strings): Edit {
  const original = useMemo(() => (args === null || !isEditable ? null : writeArgs(tool, args)), []);
  const first: Written = { text: original, args, problem: null, textProblem: null, version: 0 };
  const [now, set] = useState(first);
  if (original === null || args === null) {
    const nothing = (): void => undefined;
    return { ...first, isEdited: false, setText: nothing, setArgs: nothing, reset: nothing };
  }
  const next = { version: now.version + 1 };
  return {
    ...now,
    isEdited: now.text?.text !== original.text,
    setText: (written) => {
      const text = { form: now.text?.form ?? original.form, text: written };
      const read = readArgs(args, text, strings);
      if ('args' in read) set({ ...next, text, args: read.args, problem: null, textProblem: null });
      else set({ ...next, text, args: now.args, problem: read.problem, textProblem: read.problem });
    },
    setArgs: (edited, problem) => {
      const text = writeArgs(tool, edited);
      const textProblem = isTooLong(text.text) ? strings.card.tooLong : null;
      set({ ...now, text, args: edited, problem: problem ?? textProblem, textProblem });
    },
    reset: () => set({ ...first, ...next }),
  };
}
