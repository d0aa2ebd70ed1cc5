declare module 'har-schema' {
  /** JSON Schemas of HAR 1.2 by their names. */
  const schemas: Readonly<Record<string, { readonly $id: string }>>;
  export = schemas;
}
