// The package's entry brings a second module that this project has no use for.
declare module '@mozilla/readability/Readability.js' {
  import { Readability } from '@mozilla/readability';
  export default Readability;
}
