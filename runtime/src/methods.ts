/** @module methods */
export { defineMethods } from "./own-methods/define-methods.js";
export type { OwnMessages, OwnMessageTypes, RequestSchemas } from "./own-methods/define-methods.js";
