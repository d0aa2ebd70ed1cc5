const NAME_UNITS = 40;

/** A name for recipes and parameters: `delivery_city`. */
export const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, NAME_UNITS)
    .replace(/_+$/, '');
