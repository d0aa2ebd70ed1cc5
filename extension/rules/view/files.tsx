import type { JSX } from 'preact';
import { StoredPolicy } from '../../../shared/policy/policy.ts';
import { changeRules } from '../storage.ts';
import type { RulesStrings } from '../words/strings.ts';

interface Props {
  readonly stored: StoredPolicy;
  readonly strings: RulesStrings;
  readonly say: (text: string) => void;
}

/** Saves a value as a JSON file of the person's. */
export function saveFile(name: string, value: unknown): void {
  const url = URL.createObjectURL(
    new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: 'application/json' }),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** The rules as a file, and a file as the rules. */
export function Files({ stored, strings, say }: Props): JSX.Element {
  const take = async (input: HTMLInputElement): Promise<void> => {
    const [file] = input.files ?? [];
    if (file === undefined) return;
    say(await importRules(await file.text(), strings));
    // The same file can be chosen again.
    input.value = '';
  };
  return (
    <section aria-labelledby="files-title">
      <h2 id="files-title">{strings.files}</h2>
      <div class="buttons">
        <button type="button" id="export" onClick={() => saveFile('spillway-rules.json', stored)}>
          {strings.exportRules}
        </button>
      </div>
      <label for="import">{strings.importRules}</label>
      <input
        id="import"
        type="file"
        accept="application/json,.json"
        aria-describedby="import-note"
        onChange={({ currentTarget }) => void take(currentTarget)}
      />
      <p class="quiet" id="import-note">
        {strings.importNote}
      </p>
    </section>
  );
}

/** Takes all of a file or nothing. Returns what to say. */
async function importRules(text: string, strings: RulesStrings): Promise<string> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return strings.importFailed(strings.notJson);
  }
  const parsed = StoredPolicy.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return strings.importFailed(`${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim());
  }
  await changeRules(() => parsed.data);
  return strings.imported(parsed.data.rules.length);
}
