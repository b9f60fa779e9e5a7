export * from "../types/constants.js";
export * from "../types/core-oauth-schemas.js";
export * from "../types/core-schemas.js";
export type { JSONArray, JSONObject, JSONValue } from "../types/json.js";
export type * from "../shared/oauth-types.js";
