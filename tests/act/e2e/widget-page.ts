/** A page that writes each value into its title, as `name=value`, when its own code learns of it. */
export const widgetPage = (body: string, script: string): string =>
  `<!doctype html><title>-</title><body>${body}<script>
const report = (name, value) => { document.title = (name + '=' + value).replaceAll('  ', '\\u00b7\\u00b7'); };
const CITIES = ['Aachen', 'Berlin', 'Bergen', 'Cologne', 'Light blue'];
const $ = (selector) => document.querySelector(selector);
${script}</script>`;
