// The types, constants and functions that the packages of 2.x have in common. Schemas are not among them: only programs that need them load zod.
export * from "./capabilities.js";
export * from "./constants.js";
export type * from "./core-messages.js";
export type * from "./error-types.js";
export * from "./guards.js";
export type * from "./input-requests.js";
export type { JSONArray, JSONObject, JSONValue } from "./json.js";
export type * from "./message-info.js";
export type * from "./method-maps.js";
