/** A client of oauth4webapi calls a protected server with a bound token of oidc-provider. */
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AuthServer } from "../../../auth-server/auth-server.js";
import { createWorld, service, startDpopAuthServer } from "./dpop-world.js";

let authServer: AuthServer;
beforeAll(async () => void (authServer = await startDpopAuthServer()));
afterAll(() => authServer.close());

/** Repeats a request once when the server demands a nonce, which `DPoP` has remembered. */
async function withNonce<Value>(request: () => Promise<Value>): Promise<Value> {
  try {
    return await request();
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error;
    return request();
  }
}

test.each(["ES256", "Ed25519"])("with %s", async (alg) => {
  const { served, refused } = await createWorld(authServer, { sessions: false });
  const resource = served.url.href;
  const loopback = { [oauth.allowInsecureRequests]: true };
  const issuer = new URL(authServer.issuer);
  const metadata = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, loopback));
  const client = { client_id: service.clientId };
  const DPoP = oauth.DPoP({}, await oauth.generateKeyPair(alg));
  const { access_token: token, token_type: type } = await withNonce(async () => {
    const authentication = oauth.ClientSecretBasic(service.clientSecret);
    const parameters = new URLSearchParams({ resource, scope: "use" });
    const options = { ...loopback, DPoP };
    const response = await oauth.clientCredentialsGrantRequest(metadata, client, authentication, parameters, options);
    return oauth.processClientCredentialsResponse(metadata, client, response);
  });
  expect(type).toBe("dpop");
  const call = (): Promise<Response> => {
    const headers = new Headers({
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    });
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "whoami" } });
    return oauth.protectedResourceRequest(token, "POST", served.url, headers, body, { ...loopback, DPoP });
  };
  for (let times = 0; times < 3; times++) {
    const response = await withNonce(call);
    expect(await response.json()).toMatchObject({ result: { content: [{ type: "text", text: service.clientId }] } });
  }
  expect(refused.map(({ error }) => error)).toEqual(["use_dpop_nonce"]);
});
