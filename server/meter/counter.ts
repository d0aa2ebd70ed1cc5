/** Counts tokens off the path of calls. */
export interface Counter {
  /** Tokens of each text. @throws where counting failed, or took too long */
  count(texts: readonly string[]): Promise<readonly number[]>;
  /** Frees what counting needs; the next count gets it again. */
  close(): Promise<void>;
}
