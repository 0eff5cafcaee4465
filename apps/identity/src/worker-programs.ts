const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));

/**
 * Workers stand beside `main`, in every form that the service has: sources, compiled, and in one file for an image.
 * There
 * `import.meta.url` is the address of that file, so that this one has to stand beside `main` too.
 */
export const SAML_WORKER = new URL(`./saml-worker${extension}`, import.meta.url);
