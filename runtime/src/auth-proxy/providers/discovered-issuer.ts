import {
  type AuthorizationServer,
  discoveryRequest,
  jwksCache,
  type JWKSCacheInput,
  processDiscoveryResponse,
} from "oauth4webapi";
import type { UpstreamContext } from "../upstream-provider.js";
import { assertSecureEndpoints, isLoopbackHttp, type LibraryOptions, type ProviderClient } from "./provider-client.js";

const maxAgeMs = 3_600_000;

/** The metadata and keys of one issuer, found when they are needed (OpenID Connect Discovery 1.0). */
export class DiscoveredIssuer {
  readonly #keys: JWKSCacheInput = {};
  #metadata: AuthorizationServer | undefined;
  #foundAt = 0;

  constructor(
    readonly client: ProviderClient,
    readonly issuer: string,
  ) {}

  /** Metadata that is older than an hour is replaced; it stays in use while the provider cannot be reached. */
  async metadata(context: UpstreamContext): Promise<AuthorizationServer> {
    if (this.#metadata && Date.now() - this.#foundAt < maxAgeMs) return this.#metadata;
    try {
      this.#metadata = await this.client.run(() => this.#discover(context));
      this.#foundAt = Date.now();
      return this.#metadata;
    } catch (error) {
      if (this.#metadata) return this.#metadata;
      throw error;
    }
  }

  /** For requests and for the keys of ID tokens. */
  library(context: UpstreamContext): LibraryOptions & { readonly [jwksCache]: JWKSCacheInput } {
    return { ...this.client.library(context, isLoopbackHttp(this.issuer)), [jwksCache]: this.#keys };
  }

  async #discover(context: UpstreamContext): Promise<AuthorizationServer> {
    const url = new URL(this.issuer);
    const response = await discoveryRequest(url, { algorithm: "oidc", ...this.library(context) });
    const metadata = await processDiscoveryResponse(url, response);
    assertSecureEndpoints(this.client, metadata, this.issuer);
    return metadata;
  }
}
