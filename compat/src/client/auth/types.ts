export type * from "../../shared/oauth-types.js";
