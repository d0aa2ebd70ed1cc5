import { register } from 'tsx/esm/api';

/*
 * Importing this lets the modules imported after it (by `await import`) be TypeScript. It needs the
 * dependencies: set-up comes first.
 */
register();
