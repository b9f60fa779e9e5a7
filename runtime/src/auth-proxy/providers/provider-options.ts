import type { FetchLike } from "../../http-client/fetch-like.js";
import type { ProviderKey } from "./client-authentication.js";
import type { UpstreamUser } from "../upstream-provider.js";

/** Options of all providers. */
export interface ProviderOptions {
  /** The id that the provider assigned to this proxy. */
  readonly clientId: string;
  /** The secret that the provider assigned. Pass it or `privateKey`. */
  readonly clientSecret?: string;
  /** The key with which the proxy signs assertions instead of a secret (`private_key_jwt`, RFC 7523). */
  readonly privateKey?: ProviderKey;
  /** The scopes to request. */
  readonly scopes?: readonly string[];
  /** Sends requests to the provider. Default: the global `fetch`; pass `guardedFetch()` where the network needs it. */
  readonly fetch?: FetchLike;
  /**
   * Decides whether a user may use the MCP server; only `true` accepts. **Without it, everybody who has an account at the provider may**,
   * unless the provider is for your organization alone. Called at each log-in, not for refreshed tokens.
   *
   * Compare `issuer` and `subject`, or claims that only your organization can set. Names and e-mail addresses prove little: users can
   * change them, and some directories let their administrators enter any address.
   * @example
   * ```ts
   * acceptUser: ({ subject }) => members.has(subject),
   * ```
   */
  readonly acceptUser?: (user: UpstreamUser) => boolean | Promise<boolean>;
  /** More parameters for the authorization request, such as `prompt`. They cannot replace those that the proxy sets. */
  readonly authorizationParameters?: Readonly<Record<string, string>>;
}
