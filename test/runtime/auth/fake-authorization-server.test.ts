import { describe, expect, test } from "vitest";
import { sha256 } from "./dpop-checks.js";
import { FakeAuthorizationServer } from "./fake-authorization-server.js";
import { down, FakeNetwork } from "./fake-network.js";
import { FakeResourceServer } from "./fake-resource-server.js";

const redirectUri = "http://127.0.0.1/callback";
const resource = "https://mcp.example.com/mcp";

function world(): { network: FakeNetwork; server: FakeAuthorizationServer; mcp: FakeResourceServer } {
  const network = new FakeNetwork();
  const server = new FakeAuthorizationServer(network);
  return { network, server, mcp: new FakeResourceServer(network, [server]) };
}

async function authorize(server: FakeAuthorizationServer, clientId: string, more = {}): Promise<URL> {
  const url = new URL(`${server.issuer}/authorize`);
  const parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: "http://127.0.0.1:4000/callback",
    code_challenge: await sha256("the-verifier"),
    code_challenge_method: "S256",
    state: "s1",
    scope: "read write",
    resource,
    ...more,
  };
  url.search = new URLSearchParams(parameters).toString();
  return server.visit(url);
}

async function token(server: FakeAuthorizationServer, form: Record<string, string>): Promise<Record<string, unknown>> {
  const init = { method: "POST", body: new URLSearchParams({ resource, ...form }) };
  const response = await server.network.fetch(new URL(`${server.issuer}/token`), init);
  return { status: response.status, ...((await response.json()) as object) };
}

describe("the fake authorization server", () => {
  test("issues tokens for a code, once, and refreshes with rotation", async () => {
    const { server, mcp } = world();
    server.addClient({ clientId: "app", redirectUris: [redirectUri] });
    const callback = await authorize(server, "app");
    expect(callback.searchParams.get("iss")).toBe(server.issuer);
    const form = {
      grant_type: "authorization_code",
      client_id: "app",
      code: callback.searchParams.get("code") ?? "",
      redirect_uri: "http://127.0.0.1:4000/callback",
      code_verifier: "the-verifier",
    };
    const first = await token(server, form);
    expect(first).toMatchObject({ status: 200, token_type: "Bearer", scope: "read write", expires_in: 3600 });
    expect((await mcp.call({ authorization: `Bearer ${String(first["access_token"])}` })).status).toBe(200);
    const refresh = { grant_type: "refresh_token", client_id: "app", refresh_token: String(first["refresh_token"]) };
    const second = await token(server, refresh);
    expect(second["refresh_token"]).not.toBe(first["refresh_token"]);
    expect(await token(server, refresh)).toMatchObject({ status: 400, error: "invalid_grant" });
    expect((await mcp.call({ authorization: `Bearer ${String(second["access_token"])}` })).status).toBe(401);
    expect(await token(server, form)).toMatchObject({ status: 400, error: "invalid_grant" });
  });

  test.each([
    ["another verifier", { code_verifier: "other" }, "invalid_grant"],
    ["another redirect URI", { redirect_uri: "http://127.0.0.1:4001/callback" }, "invalid_grant"],
    ["another resource", { resource: "https://other.example.com" }, "invalid_target"],
    ["an unknown client", { client_id: "nobody" }, "invalid_client"],
  ])("refuses %s", async (_what, change, error) => {
    const { server } = world();
    server.addClient({ clientId: "app", redirectUris: [redirectUri] });
    const callback = await authorize(server, "app");
    const form = {
      grant_type: "authorization_code",
      client_id: "app",
      code: callback.searchParams.get("code") ?? "",
      redirect_uri: "http://127.0.0.1:4000/callback",
      code_verifier: "the-verifier",
      ...change,
    };
    expect(await token(server, form)).toMatchObject({ error });
  });

  test("requires PKCE, the state and the resource of authorization requests", async () => {
    const { server } = world();
    server.addClient({ clientId: "app", redirectUris: [redirectUri] });
    const plain = await authorize(server, "app", { code_challenge_method: "plain" });
    expect(plain.searchParams.get("error")).toBe("invalid_request");
    server.settings.resources = ["https://other.example.com"];
    expect((await authorize(server, "app")).searchParams.get("error")).toBe("invalid_target");
  });

  test("challenges requests, publishes metadata, and fails on demand", async () => {
    const { server, network, mcp } = world();
    const challenge = (await mcp.call()).headers.get("www-authenticate");
    expect(challenge).toBe(`Bearer resource_metadata="${mcp.metadataUrl}"`);
    const metadata = await network.fetch(new URL(mcp.metadataUrl), {});
    expect(await metadata.json()).toEqual({ resource, authorization_servers: [server.issuer] });
    const heal = network.fail({ at: "/token", respond: down, times: 2 });
    await expect(token(server, {})).rejects.toThrow("fetch failed");
    heal();
    expect(await token(server, {})).toMatchObject({ status: 401, error: "invalid_client" });
    expect(network.requests("POST https://auth.example.com/token")).toHaveLength(2);
  });
});
