import { parseJsonObject } from "../../jsonrpc/parse-json-object.js";
import { AddressLimits } from "./address-limits.js";
import { checkClientMetadata, ClientMetadataError } from "./client-metadata.js";
import { OAuthFailure } from "../oauth-failure.js";
import type { RegistrationOptions } from "../oauth-proxy-options.js";
import type { ProxyStore } from "../proxy-store.js";
import type { RedirectRules } from "./redirect-uris.js";

/** Decides which registrations (RFC 7591) reach the engine. */
export class ClientRegistration {
  readonly #limits: AddressLimits;
  readonly #maxClients: number;

  constructor(
    options: RegistrationOptions,
    readonly store: ProxyStore,
    readonly redirects: RedirectRules,
  ) {
    const { maxClients = 10_000, maxPerAddress = 20, maxPerHour = 1_000 } = options;
    this.#limits = new AddressLimits(maxPerAddress, maxPerHour);
    this.#maxClients = maxClients;
  }

  /**
   * @param address of the client, or undefined when it is not known
   * @param body the text of the request
   * @returns the metadata to register, as JSON
   * @throws OAuthFailure
   */
  async check(address: string | undefined, body: string): Promise<string> {
    const metadata = this.#metadataOf(body);
    const wait = this.#limits.use(address);
    if (wait !== undefined)
      throw new OAuthFailure(429, "temporarily_unavailable", "too many clients were registered; try again later", {
        "retry-after": String(wait),
      });
    if ((await this.store.count("Client")) >= this.#maxClients)
      throw new OAuthFailure(
        503,
        "temporarily_unavailable",
        "this server cannot register more clients now; try again later",
        { "retry-after": "3600" },
      );
    return JSON.stringify(metadata);
  }

  #metadataOf(body: string): object {
    const given = parseJsonObject(body);
    if (!given)
      throw new OAuthFailure(
        400,
        "invalid_client_metadata",
        "the body must be a JSON object with the metadata of a client",
      );
    try {
      return checkClientMetadata(given, this.redirects);
    } catch (error) {
      if (error instanceof ClientMetadataError) throw new OAuthFailure(400, error.error, error.message);
      throw error;
    }
  }
}
