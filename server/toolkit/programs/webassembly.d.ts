/** What is used of a global of Node whose types only come with those of browsers. */
declare namespace WebAssembly {
  class Module {
    private constructor();
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  function compile(code: Uint8Array): Promise<Module>;
}
