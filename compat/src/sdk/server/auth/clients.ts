export type { OAuthRegisteredClientsStore } from "../../../oauth-server/provider.js";
