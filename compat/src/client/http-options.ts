import type { FetchLike } from "../shared/transport.js";
import type { AuthProvider, OAuthClientProvider } from "./auth/provider.js";

/** Options of both HTTP transports. */
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- as in the official SDK, whose programs assign it to other types
export type HttpTransportOptions = {
  /** Provides tokens: a provider with a token, or one for OAuth. */
  authProvider?: AuthProvider | OAuthClientProvider;
  /** Whether the `issuer` of metadata may differ from the URL that it is fetched from. Default: `false`. */
  skipIssuerMetadataValidation?: boolean;
  /** Options for every request, such as headers. */
  requestInit?: RequestInit;
  /** Default: the global `fetch`. */
  fetch?: FetchLike;
  /** Accepted, without an effect: redirects are followed within the origin of the server. */
  redirectPolicy?: "same-origin" | "follow";
};
