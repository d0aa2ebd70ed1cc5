/** Cases by area and title: a page and the words that are read in it, blanks collapsed. */
export type SightCases = Readonly<
  Record<string, Readonly<Record<string, readonly [html: string, words: string]>>>
>;
