/** Marks a field whose name says enough: a list shows it without its description, which costs tokens in every turn. */
export const OBVIOUS = 'x-obvious';

/** The description of a field that is only for people who read the reference. */
export const obvious = (description: string) => ({ description, [OBVIOUS]: true });
