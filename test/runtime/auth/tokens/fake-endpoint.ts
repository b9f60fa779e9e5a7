import { None } from "oauth4webapi";
import type { OAuthClient } from "../../../../runtime/src/auth/client-identity/oauth-client.js";
import type { DiscoveredServer } from "../../../../runtime/src/auth/discovery/discovered-server.js";
import type { FetchLike } from "../../../../runtime/src/http-client/fetch-like.js";

export const issuer = "https://as.example/tenant";
export const resource = "https://mcp.example:443/mcp?tenant=a%2Fb";

export const publicClient: OAuthClient = { clientId: "app", authentication: None(), source: "pre-registered" };

export function discovered(
  metadata: Partial<DiscoveredServer["metadata"]> = {},
  server: Partial<DiscoveredServer> = {},
): DiscoveredServer {
  return {
    issuer,
    metadata: { issuer, token_endpoint: `${issuer}/token`, revocation_endpoint: `${issuer}/revoke`, ...metadata },
    resource,
    scopesSupported: undefined,
    acceptsDpop: true,
    rules: {
      revision: "newest",
      resourceMetadata: true,
      serverMetadata: ["oauth"],
      defaultEndpoints: null,
      versionHeader: true,
      resourceParameter: true,
      pkceAnnouncement: true,
      clientIdMetadata: true,
      applicationType: true,
      issuerParameter: true,
    },
    ...server,
  };
}

/** A request that a fake endpoint has received. */
export interface ReceivedRequest {
  readonly url: string;
  readonly body: URLSearchParams;
  readonly headers: Headers;
  readonly redirect: RequestInit["redirect"];
}

/** Responds to token requests with the given responses, one after the other; the last one for all that follow. */
export class FakeEndpoint {
  readonly requests: ReceivedRequest[] = [];
  readonly #responses: (() => Response | Promise<Response>)[];

  constructor(...responses: (() => Response | Promise<Response>)[]) {
    this.#responses = responses;
  }

  readonly fetch: FetchLike = async (url, { body, headers, redirect }) => {
    this.requests.push({
      url: url.href,
      body: new URLSearchParams(body as URLSearchParams),
      headers: new Headers(headers),
      redirect,
    });
    const respond = this.#responses.length > 1 ? this.#responses.shift() : this.#responses[0];
    return respond?.() ?? Response.error();
  };

  get last(): ReceivedRequest {
    const last = this.requests.at(-1);
    if (!last) throw new Error("no request was received");
    return last;
  }
}

export const tokenResponse =
  (members: object = {}, init?: ResponseInit) =>
  (): Response =>
    Response.json({ access_token: "at-1", token_type: "Bearer", ...members }, init);
