declare namespace WebAssembly {
  class Module {
    private constructor();
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  function compile(code: Uint8Array): Promise<Module>;
}
