import { AuthorizationError } from "../auth-errors.js";
import { bearerParameters } from "../discovery/challenge.js";
import { discover } from "../discovery/discover.js";
import type { DiscoveredServer } from "../discovery/discovered-server.js";
import type { SessionParts } from "./session-parts.js";

/** Finds the authorization server of one MCP server, and notices when another one has taken its place. */
export class ServerDiscovery {
  #known: DiscoveredServer | undefined;
  #resourceMetadata: string | undefined;
  readonly #parts: SessionParts;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** The `resource_metadata` of the last challenge. */
  get resourceMetadata(): string | undefined {
    return this.#resourceMetadata ?? this.#parts.cache.server?.resourceMetadata;
  }

  /** Returns the authorization server of the current tokens; reads the metadata only when this process has not yet. */
  async current(signal: AbortSignal, wwwAuthenticate?: string): Promise<DiscoveredServer> {
    const issuer = this.#parts.cache.server?.issuer;
    if (this.#known && (issuer === undefined || this.#known.issuer === issuer)) return this.#known;
    return this.renew(wwwAuthenticate, signal);
  }

  /**
   * Reads the metadata again. When the MCP server names another authorization server, the tokens of the old one are forgotten,
   * and this is reported: they must not be sent any more (MCP, authorization server binding).
   * @throws AuthorizationError
   */
  async renew(wwwAuthenticate: string | undefined, signal: AbortSignal): Promise<DiscoveredServer> {
    const { url, options, cache } = this.#parts;
    const announced = bearerParameters(wwwAuthenticate)["resource_metadata"];
    if (announced !== undefined) this.#resourceMetadata = announced;
    const known = announced === undefined ? this.resourceMetadata : undefined;
    const hint = known !== undefined && /^[^"\\\s]+$/.test(known) ? `Bearer resource_metadata="${known}"` : undefined;
    const server = await discover({
      url: new URL(url),
      wwwAuthenticate: [wwwAuthenticate, hint].filter((one) => one !== undefined).join(", ") || undefined,
      options,
      signal,
      storedIssuer: cache.server?.issuer,
    });
    const before = cache.server?.issuer;
    if (before !== undefined && before !== server.issuer && cache.tokens) await this.#forget(before, server.issuer);
    this.#known = server;
    return server;
  }

  async #forget(before: string, issuer: string): Promise<void> {
    const { url, options, cache } = this.#parts;
    await cache.dropTokens();
    options.onerror?.(
      new AuthorizationError(
        "issuer-mismatch",
        `${url.origin}${url.pathname} now names the authorization server ${issuer} instead of ${before}; the tokens of ${before} are forgotten`,
        { issuer },
      ),
    );
  }
}
