import { version } from '../../package.json';

/** The product's version, which is written only in `package.json`. */
export const VERSION: string = version;
