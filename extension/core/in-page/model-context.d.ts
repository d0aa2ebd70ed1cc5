/* WebMCP: tools that a page offers to agents. Chromium has it on `document`; polyfills on `navigator`. */

interface Declared {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly annotations?: {
    readonly readOnlyHint?: boolean;
    readonly consequentialHint?: boolean;
    readonly untrustedContentHint?: boolean;
  };
  /** The declaring window: a page also sees tools of its frames. */
  readonly window?: unknown;
}

interface ModelContext {
  getTools?(): Promise<readonly Declared[]>;
  executeTool?(tool: Declared, input: object, options: { readonly signal: AbortSignal }): Promise<unknown>;
  /** In polyfills. */
  listTools?(): readonly Declared[] | Promise<readonly Declared[]>;
  callTool?(call: { readonly name: string; readonly arguments: object }): Promise<unknown>;
}

interface Document {
  readonly modelContext?: ModelContext;
}
interface Navigator {
  /** Its former place. */
  readonly modelContext?: ModelContext;
}
