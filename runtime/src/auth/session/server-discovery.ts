import { AuthorizationError } from "../auth-errors.js";
import { bearerParameters } from "../discovery/challenge.js";
import { discover } from "../discovery/discover.js";
import type { DiscoveredServer } from "../discovery/discovered-server.js";
import type { ServerRecord } from "./record-kinds.js";
import type { SessionParts } from "./session-parts.js";

/** Finds the authorization server of one MCP server, and notices when another one has taken its place. */
export class ServerDiscovery {
  #known: DiscoveredServer | undefined;
  /** The last challenge of this process. */
  #challenge: string | undefined;
  readonly #parts: SessionParts;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** The `resource_metadata` of the last challenge. */
  get resourceMetadata(): string | undefined {
    return this.#announced(this.#parts.cache.server);
  }

  /** Returns the authorization server of the current tokens; reads the metadata only when this process has not yet. */
  async current(signal: AbortSignal, wwwAuthenticate?: string): Promise<DiscoveredServer> {
    const issuer = this.#parts.cache.server?.issuer;
    if (this.#known && (issuer === undefined || this.#known.issuer === issuer)) return this.#known;
    return this.renew(wwwAuthenticate, signal);
  }

  /** Returns the authorization server of tokens whose record has been deleted. @throws AuthorizationError */
  async of(record: ServerRecord, signal: AbortSignal): Promise<DiscoveredServer> {
    return this.#known?.issuer === record.issuer ? this.#known : this.#discoverAgain(record, signal);
  }

  /**
   * Reads the metadata again. When the MCP server names another authorization server, the tokens of the old one are forgotten,
   * and this is reported: they must not be sent any more (MCP, authorization server binding).
   * @throws AuthorizationError
   */
  async renew(wwwAuthenticate: string | undefined, signal: AbortSignal): Promise<DiscoveredServer> {
    const { cache } = this.#parts;
    this.#challenge = wwwAuthenticate ?? this.#challenge;
    const server = await (wwwAuthenticate === undefined
      ? this.#discoverAgain(cache.server, signal)
      : this.#discover(wwwAuthenticate, cache.server, signal));
    const before = cache.server?.issuer;
    if (before !== undefined && before !== server.issuer && cache.tokens) await this.#forget(before, server.issuer);
    this.#known = server;
    return server;
  }

  /** Without a challenge, the last one says where the metadata is; it may have moved since. */
  async #discoverAgain(record: ServerRecord | undefined, signal: AbortSignal): Promise<DiscoveredServer> {
    const known = this.#announced(record);
    if (known === undefined || /["\\\s]/.test(known)) return this.#discover(undefined, record, signal);
    try {
      return await this.#discover(`Bearer resource_metadata="${known}"`, record, signal);
    } catch (error) {
      if (!(error instanceof AuthorizationError) || error.reason === "unreachable") throw error;
      return this.#discover(undefined, record, signal);
    }
  }

  #discover(
    wwwAuthenticate: string | undefined,
    record: ServerRecord | undefined,
    signal: AbortSignal,
  ): Promise<DiscoveredServer> {
    const { url, options } = this.#parts;
    return discover({ url: new URL(url), wwwAuthenticate, options, signal, storedIssuer: record?.issuer });
  }

  #announced(record: ServerRecord | undefined): string | undefined {
    return this.#challenge === undefined
      ? record?.resourceMetadata
      : bearerParameters(this.#challenge)["resource_metadata"];
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
