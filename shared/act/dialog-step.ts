const LINE = /^\s*dialog\s+(accept|dismiss)(?:\s(.*))?$/s;

/** The answer to the dialog of a page, as a step of `interact`. */
export interface DialogStep {
  readonly action: 'accept' | 'dismiss';
  readonly text?: string;
}

/** Reads `dialog accept`, `dialog accept Ada`, `dialog dismiss`; null for every other step. */
export function parseDialogStep(step: unknown): DialogStep | null {
  const [, action, text = ''] = (typeof step === 'string' ? LINE.exec(step) : null) ?? [];
  if (action !== 'accept' && action !== 'dismiss') return null;
  return { action, ...(text === '' ? {} : { text }) };
}
