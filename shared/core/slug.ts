const NAME_UNITS = 40;

/** A name for recipes and parameters: `delivery_city`. Empty for a text without Latin letters. */
export const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, NAME_UNITS)
    .replace(/_+$/, '');
