/** Whether a text begins a word of a name. */
export function beginsWord(name: string, text: string): boolean {
  for (let at = name.indexOf(text); at !== -1; at = name.indexOf(text, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(name.charAt(at - 1))) return true;
  return false;
}
