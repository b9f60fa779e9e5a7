/** A gateway that requires access tokens, and clients that send them. */
import { onTestFinished } from "vitest";
import { requireBearerAuth } from "../../../runtime/src/auth-server.js";
import type { Client, ClientOptions } from "../../../runtime/src/client.js";
import { StreamableHTTPClientTransport } from "../../../runtime/src/client/http.js";
import type { Gateway } from "../../../runtime/src/gateway.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { clientOf, type Revision } from "../api/pair.js";
import { factsWith, resource, verifierOf } from "../auth-server/requests.js";

export interface Refused {
  readonly status: number;
  readonly challenge: string | null;
  readonly body: string;
}

export interface Protected {
  /** The responses with an error status. */
  readonly refused: Refused[];
  /** Sends a request as it is. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Connects a client with one of the tokens. */
  connect(token: string, revision: Revision, options?: ClientOptions): Promise<Client>;
}

/** @param tokens the scopes of each token; its subject is the text before the first `-` */
export function protect(gateway: Gateway, tokens: Readonly<Record<string, readonly string[]>>): Protected {
  const facts = Object.entries(tokens).map(([token, scopes]) => {
    const [subject = ""] = token.split("-");
    return [token, factsWith({ subject, scopes })];
  });
  const authorization = requireBearerAuth({
    resource,
    verifier: verifierOf(Object.fromEntries(facts) as Record<string, ReturnType<typeof factsWith>>),
    scopeIncludes: { admin: ["docs:read", "docs:write"] },
  });
  const handler = createMcpHandler(gateway, { authorization, allowedHosts: "any" });
  onTestFinished(() => gateway.close(0));
  const refused: Refused[] = [];
  return {
    refused,
    fetch: (request) => handler.fetch(request),
    async connect(token, revision, options) {
      const { client } = clientOf(revision, options);
      const fetch = async (url: string | URL, init?: RequestInit): Promise<Response> => {
        const response = await handler.fetch(new Request(url, init));
        const { status, headers } = response;
        if (status >= 400 && init?.method === "POST")
          refused.push({ status, challenge: headers.get("www-authenticate"), body: await response.clone().text() });
        return response;
      };
      await client.connect(new StreamableHTTPClientTransport(resource, { fetch, authProvider: token }));
      onTestFinished(() => client.close());
      return client;
    },
  };
}
