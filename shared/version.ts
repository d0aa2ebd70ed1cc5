import { version } from '../package.json';

/** The product's version. `package.json` is the only place where it is written. */
export const VERSION: string = version;
