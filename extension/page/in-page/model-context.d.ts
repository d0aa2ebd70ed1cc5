/* WebMCP: what a page offers to agents. Chromium has it on `document`; scripts bring it to other browsers. */

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
  /** The window that declares it: a page also sees those of its frames. */
  readonly window?: unknown;
}

interface ModelContext {
  getTools?(): Promise<readonly Declared[]>;
  executeTool?(tool: Declared, input: object, options: { readonly signal: AbortSignal }): Promise<unknown>;
  /** Of scripts that bring it to browsers without it. */
  listTools?(): readonly Declared[] | Promise<readonly Declared[]>;
  callTool?(call: { readonly name: string; readonly arguments: object }): Promise<unknown>;
}

interface Document {
  readonly modelContext?: ModelContext;
}
interface Navigator {
  /** Its older place. */
  readonly modelContext?: ModelContext;
}
