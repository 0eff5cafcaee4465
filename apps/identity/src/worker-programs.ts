const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));

/**
 * Worker files are in the same folder as `main` in every form of the service: as sources, compiled, and bundled into
 * one file for an image. In the bundle, `import.meta.url` is the URL of the bundle, so this file must be in the same
 * folder as `main` too.
 */
export const SAML_WORKER = new URL(`./saml-worker${extension}`, import.meta.url);
