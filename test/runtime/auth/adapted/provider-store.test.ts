import { expect, test } from "vitest";
import { ProviderStore } from "../../../../runtime/src/auth/adapted/provider-store.js";
import { ProgramProvider, type Stored } from "./program-provider.js";

const [first, second] = ["https://first.example.com", "https://second.example.com"];
const url = "https://mcp.example.com/mcp";
const keyOf = (issuer: string): string => `tokens ${issuer} ${url}`;
const tokens = (accessToken: string, issuer: string): string =>
  JSON.stringify({ accessToken, scheme: "Bearer", scopes: [], issuer, clientId: "c" });

function start(stored: Stored = {}) {
  const provider = new ProgramProvider(stored);
  return { provider, store: new ProviderStore(provider) };
}

test("to delete the tokens of an authorization server keeps those of the next one", async () => {
  const { provider, store } = start();
  await store.set(keyOf(first), tokens("1", first));
  await store.set(keyOf(second), tokens("2", second));
  await store.delete(keyOf(first));
  expect(provider.stored.tokens).toMatchObject({ access_token: "2", issuer: second });
  await store.delete(keyOf(second));
  expect(provider.stored.tokens).toBeUndefined();
});

test("tokens without an issuer are dropped when a log-in at another authorization server begins", async () => {
  const { provider, store } = start({
    client: { client_id: "c" },
    tokens: { access_token: "old", token_type: "Bearer", refresh_token: "secret" },
  });
  const login = { state: "s", url, server: { issuer: second, metadata: { issuer: second } }, redirectUri: "http://x/" };
  await store.set("flow s", JSON.stringify({ ...login, verifier: "v" }));
  expect(provider.stored.tokens).toBeUndefined();
  expect(await store.get(keyOf(second))).toBeUndefined();
});

test("a client and tokens belong to the issuer of the stored metadata, where its URL differs", async () => {
  const { store } = start({
    client: { client_id: "c", client_secret: "s" },
    tokens: { access_token: "1", token_type: "Bearer" },
    discovery: { authorizationServerUrl: `${first}/`, authorizationServerMetadata: { issuer: first }, serverUrl: url },
  });
  expect(await store.get(`server ${url}`)).toContain(first);
  expect(await store.get(`client ${first}`)).toContain('"clientId":"c"');
  expect(await store.get(`client ${second}`)).toBeUndefined();
});
