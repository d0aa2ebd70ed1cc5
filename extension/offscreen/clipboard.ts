/** Reads or writes the clipboard's text. Null if the browser refuses. */
export function exchange(text: string | null): string | null {
  const field = document.createElement('textarea');
  field.value = text ?? '';
  document.body.append(field);
  field.select();
  const isDone = document.execCommand(text === null ? 'paste' : 'copy');
  field.remove();
  return isDone ? field.value : null;
}
