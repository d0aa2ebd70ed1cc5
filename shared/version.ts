/** The product's version; a test holds it equal to package.json and the extension's manifest. */
export const VERSION = '0.1.0';
