/** A tool's name as the code writes it in each place. */
export interface ToolNames {
  /** `mill_count`: folder, identifier and api. */
  readonly snake: string;
  /** `mill-count`: files and folders of tests. */
  readonly kebab: string;
  /** `millCount`; one word alone may be a global or a keyword and takes `Tool` behind it. */
  readonly camel: string;
  /** `MillCount`. */
  readonly pascal: string;
  /** `Mill count`. */
  readonly title: string;
}

export function namesOf(snake: string): ToolNames {
  const words = snake.split('_');
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1);
  const text = words.join(' ');
  return {
    snake,
    kebab: words.join('-'),
    camel: words.length === 1 ? `${camel}Tool` : camel,
    pascal,
    title: text.charAt(0).toUpperCase() + text.slice(1),
  };
}
