/** @module gateway/log-in */
export { createUserLogIn, type UserLogIn } from "./log-in/user-log-in.js";
export type { LogInRequest, LogInResponse } from "./log-in/serve-node.js";
export type { ServerLogIn } from "./log-in/server-log-in.js";
export type { GatewayAuthorization, ServerLogInOptions, UserLogInOptions } from "./log-in/user-log-in-options.js";
