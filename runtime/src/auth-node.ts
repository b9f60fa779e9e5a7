/** @module auth/node */
export { assertionFromFile } from "./auth-node/assertion-file.js";
export { FileCredentialStore } from "./auth-node/file-credential-store.js";
export type { FileCredentialStoreOptions } from "./auth-node/file-credential-store.js";
export { InteractiveProvider } from "./auth-node/interactive-provider.js";
export type { InteractiveProviderOptions } from "./auth-node/interactive-provider.js";
export type { LoopbackInteractionOptions } from "./auth-node/loopback-interaction.js";
export { loopbackRedirect } from "./auth-node/loopback-redirect.js";
export type { LoopbackRedirect, LoopbackRedirectOptions } from "./auth-node/loopback-redirect.js";
export { openBrowser } from "./auth-node/open-browser.js";
export type { BrowserHost } from "./auth-node/open-browser.js";
export type { AddressKind } from "./auth-node/address-kind.js";
export type { AddressGuardOptions } from "./auth-node/address-guard.js";
export { guardedFetch, type GuardedFetchOptions } from "./auth-node/guarded-fetch.js";
