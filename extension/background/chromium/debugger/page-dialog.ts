/** A dialog of a page: its script does not continue before the dialog is answered. */
export interface PageDialog {
  /** `alert`, `confirm`, `prompt` or `beforeunload`. */
  readonly type: string;
  /** Page text of any length. */
  readonly message: string;
  /** What a prompt begins with. */
  readonly defaultText: string;
  /** Address of the frame that opened it. */
  readonly url: string;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The dialog of a `Page.javascriptDialogOpening`. */
export function pageDialog({
  type,
  message,
  defaultPrompt,
  url,
}: Readonly<Record<string, unknown>>): PageDialog {
  return {
    type: text(type) || 'dialog',
    message: text(message),
    defaultText: text(defaultPrompt),
    url: text(url),
  };
}
