import { useEffect, useId, useState } from 'preact/hooks';
import type { ShownQuestion } from '../protocol.ts';
import type { ApproveRequest } from '../requests-port.ts';
import { toBase64 } from '../../core/ports/base64.ts';
import { isJsonList, isObject, type JsonValue } from '../../../shared/base/json.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { useCardWords } from '../../ui/words/en/card.ts';
import { quote } from '../../ui/words/sentence.ts';
import { SentenceView } from '../../ui/quoted.tsx';
import { Select } from '../../ui/select.tsx';
import { describeTarget, readStep } from './describe-step.ts';
import {
  canGiveFolders,
  fileIn,
  findFolder,
  keepFolder,
  KEEPING,
  pickFolder,
  type GivenFolder,
} from './given-folder.ts';

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

/** The names for which an upload step asks. */
function namesOf(step: JsonValue | undefined): readonly string[] {
  const value = isObject(step) ? step['value'] : readStep(step)?.value;
  return [value].flat().filter((name) => typeof name === 'string');
}

/** Fields in which a person chooses the files of a call's steps. Key it by the question's id. */
export function FileChoosers({ question, send, onChange }: FileChoosersProps) {
  const strings = useCardWords();
  const { files: words } = strings;
  const [chosen, setChosen] = useState<readonly ChosenFile[]>([]);
  /** Undefined until it is known. */
  const [given, setGiven] = useState<GivenFolder | null | undefined>();
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const { args } = question;
  const steps = args !== null && isJsonList(args['steps']) ? args['steps'] : [];
  const change = (now: readonly ChosenFile[], folder: GivenFolder | null): void => {
    const isTooMuch = (all: readonly ChosenFile[]): boolean =>
      all.length > LIMITS.uploadFiles ||
      all.reduce((sum, { file }) => sum + file.size, 0) > LIMITS.uploadBytes;
    const tooMuch = words.tooMuch({ count: LIMITS.uploadFiles, megabytes: LIMITS.uploadBytes / 1_048_576 });
    const open = question.chosen.filter((step) => !now.some((one) => one.step === step));
    const isMissing = open.some((step) => folder === null || namesOf(steps[step]).length === 0);
    setChosen(now);
    setGiven(folder);
    setProblem(isTooMuch(now) ? tooMuch : null);
    const give: Chosen['give'] = async (token, decide) => {
      onChange({ isBlocked: true, give });
      let refusal = words.notInFolder;
      try {
        const all = [...now];
        for (const step of open)
          for (const name of namesOf(steps[step]))
            if (folder !== null) all.push({ step, file: await fileIn(folder, name) });
        if (isTooMuch(all)) setProblem(tooMuch);
        else {
          refusal = words.unread;
          if (folder !== null) await keepFolder(folder);
          await sendFiles(all, { question: question.id, token }, send);
          decide();
        }
      } catch {
        setProblem(refusal);
      }
      onChange({ isBlocked: false, give });
    };
    onChange({ isBlocked: isTooMuch(now) || isMissing, give });
  };
  useEffect(() => {
    void findFolder().then(
      (folder) => change([], folder),
      () => change([], null),
    );
  }, []);
  if (given === undefined) return null;
  return (
    <section>
      {question.chosen.map((step) => (
        <StepField
          key={step}
          id={`${id}-${step}`}
          step={readStep(steps[step])}
          elements={question.elements}
          noteId={`${id}-note`}
          onChange={(files) => {
            const now = files.map((file) => ({ step, file }));
            change([...chosen.filter((one) => one.step !== step), ...now], given);
          }}
        />
      ))}
      <Folder id={`${id}-folder`} given={given} onChange={(folder) => change(chosen, folder)} />
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

interface StepFieldProps extends Pick<ShownQuestion, 'elements'> {
  readonly id: string;
  readonly step: ReturnType<typeof readStep>;
  readonly noteId: string;
  readonly onChange: (files: readonly File[]) => void;
}

/** Takes what the page's own field takes. */
function StepField({ id, step, elements, noteId, onChange }: StepFieldProps) {
  const strings = useCardWords();
  const { files: words } = strings;
  const { target = '', value } = step ?? {};
  const { accept = '', isMultiple = true, isFolder = false } = elements?.[target]?.files ?? {};
  return (
    <div class="ask-field stack">
      <label for={id}>
        <SentenceView sentence={words.choose({ target: describeTarget(target, { ...strings, elements }) })} />
      </label>
      {typeof value === 'string' && (
        <span>
          <SentenceView sentence={words.asked({ names: quote(value) })} />
        </span>
      )}
      <input
        id={id}
        type="file"
        accept={accept}
        multiple={isMultiple}
        {...{ webkitdirectory: isFolder }}
        aria-describedby={noteId}
        onChange={({ currentTarget }) => onChange([...(currentTarget.files ?? [])])}
      />
    </div>
  );
}

interface FolderProps {
  readonly id: string;
  readonly given: GivenFolder | null;
  readonly onChange: (given: GivenFolder | null) => void;
}

/** A folder for the files that the agent names and the person does not choose. */
function Folder({ id, given, onChange }: FolderProps) {
  const { files: words } = useCardWords();
  if (!canGiveFolders()) return <p class="quiet note">{words.noFolders}</p>;
  const give = async (): Promise<void> => {
    const folder = await pickFolder();
    if (folder !== undefined) onChange({ folder, keeping: given?.keeping ?? 'once' });
  };
  return (
    <div class="ask-field stack">
      <button id="give-folder" type="button" class="plain" onClick={() => void give()}>
        {words.giveFolder}
      </button>
      {given !== null && (
        <>
          <label for={id}>
            <SentenceView sentence={words.given({ folder: quote(given.folder.name) })} />
          </label>
          <Select
            id={id}
            value={given.keeping}
            options={KEEPING.map((keeping) => [keeping, words.keeping[keeping]])}
            onChange={(value) =>
              onChange({ ...given, keeping: KEEPING.find((one) => one === value) ?? 'once' })
            }
          />
          <button
            id="take-back"
            type="button"
            class="plain"
            onClick={() => void keepFolder(null).then(() => onChange(null))}
          >
            {words.takeBack}
          </button>
        </>
      )}
    </div>
  );
}
