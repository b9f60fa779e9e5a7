import { UpstreamError } from "../upstream-error.js";
import type { UpstreamProvider, UpstreamUser } from "../upstream-provider.js";
import { OidcProvider } from "./oidc.js";
import type { ProviderOptions } from "./provider-options.js";

export interface GoogleOptions extends ProviderOptions {
  /** Default: `["openid"]`. */
  readonly scopes?: readonly string[];
  /** The domain of a Google Workspace organization: only its accounts are accepted (claim `hd`). Default: all accounts. */
  readonly hostedDomain?: string;
}

const issuer = "https://accounts.google.com";

/**
 * Google accounts. The proxy asks for offline access, so that it can refresh tokens; Google issues a refresh token only when it shows
 * its consent page, which the proxy therefore requests (`prompt=consent`; `authorizationParameters` changes it).
 *
 * Everybody with a Google account may log in, unless you pass `hostedDomain` or `acceptUser`.
 *
 * Register the callback of the proxy as an authorized redirect URI of a client of the type web application.
 * @throws SdkError `INVALID_CONFIGURATION`
 * @example
 * ```ts
 * const upstream = google({
 *   clientId: "123-abc.apps.googleusercontent.com",
 *   clientSecret: process.env["GOOGLE_SECRET"] ?? "",
 *   scopes: ["openid", "https://www.googleapis.com/auth/calendar.readonly"],
 *   hostedDomain: "example.com",
 * });
 * ```
 */
export function google(options: GoogleOptions): UpstreamProvider {
  const { hostedDomain, scopes = ["openid"], authorizationParameters } = options;
  const { acceptUser } = options;
  return new OidcProvider({
    ...options,
    issuer,
    name: "Google",
    scopes,
    authorizationParameters: {
      access_type: "offline",
      prompt: "consent",
      ...(hostedDomain !== undefined && { hd: hostedDomain }),
      ...authorizationParameters,
    },
    acceptUser: async (user: UpstreamUser): Promise<boolean> => {
      // The parameter `hd` of the request only chooses the accounts that the page offers.
      if (hostedDomain !== undefined && user.claims["hd"] !== hostedDomain)
        throw new UpstreamError("denied", "this Google account does not belong to the organization of the service");
      return acceptUser === undefined || acceptUser(user);
    },
  });
}
