import type { AuthorizationCodeOptions } from "../../auth.js";

/** How the gateway introduces itself to authorization servers. */
export type ClientOptions = Pick<
  AuthorizationCodeOptions,
  | "authorizationParameters"
  | "client"
  | "clientMetadataUrl"
  | "clientName"
  | "initialAccessToken"
  | "scopes"
  | "timeoutMs"
>;
