import { useId, useState } from 'preact/hooks';
import type { ShownQuestion } from '../protocol.ts';
import type { ApproveRequest } from '../requests-port.ts';
import { toBase64 } from '../../core/ports/base64.ts';
import { isJsonList } from '../../../shared/base/json.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { useCardWords } from '../../ui/words/en/card.ts';
import { quote } from '../../ui/words/sentence.ts';
import { SentenceView } from '../../ui/quoted.tsx';
import { describeTarget, readStep } from './describe-step.ts';

interface ChosenFile {
  readonly step: number;
  readonly file: File;
}

/** Sends a question's files part by part. @throws DOMException for a file that is gone or has changed */
async function sendFiles(
  files: readonly ChosenFile[],
  { question, token }: { readonly question: string; readonly token: string },
  send: (request: ApproveRequest) => void,
): Promise<void> {
  for (const [at, { step, file }] of files.entries())
    for (let from = 0; from === 0 || from < file.size; from += LIMITS.uploadChunkBytes) {
      const part = file.slice(from, from + LIMITS.uploadChunkBytes);
      const data = toBase64(new Uint8Array(await part.arrayBuffer()));
      const named = from === 0 ? { name: file.name, mime: file.type } : {};
      send({ type: 'choose', question, token, step, file: at, ...named, data });
    }
}

/** A person's choice so far. */
export interface Chosen {
  /** Something is missing, or too much. */
  readonly isBlocked: boolean;
  /** Sends the files, then decides. */
  readonly give: (token: string, decide: () => void) => Promise<void>;
}

export interface FileChoosersProps {
  readonly question: ShownQuestion;
  readonly send: (request: ApproveRequest) => void;
  readonly onChange: (chosen: Chosen) => void;
}

/** Fields in which a person chooses the files of a call's steps. Key it by the question's id. */
export function FileChoosers({ question, send, onChange }: FileChoosersProps) {
  const strings = useCardWords();
  const { files: words } = strings;
  const [chosen, setChosen] = useState<readonly ChosenFile[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const { elements, args } = question;
  const steps = args !== null && isJsonList(args['steps']) ? args['steps'] : [];
  const change = (now: readonly ChosenFile[]): void => {
    const bytes = now.reduce((sum, { file }) => sum + file.size, 0);
    const isTooMuch = bytes > LIMITS.uploadBytes || now.length > LIMITS.uploadFiles;
    const isMissing = question.chosen.some((step) => !now.some((one) => one.step === step));
    setChosen(now);
    setProblem(isTooMuch ? words.tooMuch(LIMITS.uploadFiles, LIMITS.uploadBytes / 1_048_576) : null);
    const give: Chosen['give'] = async (token, decide) => {
      onChange({ isBlocked: true, give });
      try {
        await sendFiles(now, { question: question.id, token }, send);
        decide();
      } catch {
        setProblem(words.unread);
      }
      onChange({ isBlocked: false, give });
    };
    onChange({ isBlocked: isTooMuch || isMissing, give });
  };
  const fields = question.chosen.map((step) => {
    const { target = '', value } = readStep(steps[step]) ?? {};
    const { accept = '', isMultiple = true, isFolder = false } = elements?.[target]?.files ?? {};
    return (
      <div key={step} class="ask-field">
        <label for={`${id}-${step}`}>
          <SentenceView sentence={words.choose(describeTarget(target, { ...strings, elements }))} />
        </label>
        {typeof value === 'string' && (
          <span>
            <SentenceView sentence={words.asked(quote(value))} />
          </span>
        )}
        <input
          id={`${id}-${step}`}
          type="file"
          accept={accept}
          multiple={isMultiple}
          {...{ webkitdirectory: isFolder }}
          aria-describedby={`${id}-note`}
          onChange={({ currentTarget }) => {
            const now = [...(currentTarget.files ?? [])].map((file) => ({ step, file }));
            change([...chosen.filter((one) => one.step !== step), ...now]);
          }}
        />
      </div>
    );
  });
  return (
    <section>
      {fields}
      <p id={`${id}-note`} class="quiet note">
        {words.note}
      </p>
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}
