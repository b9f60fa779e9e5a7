import { expect, onTestFinished, test } from "vitest";
import { printCheck } from "../../../../generator/commands/gateway/print-check.js";
import { issuer } from "./issuer.js";
import { configFile } from "./places.js";

const resource = "https://gateway.example.com/mcp";
const url = "http://localhost:1/mcp";

function configWith(authorization: object, servers: Readonly<Record<string, object>> = { docs: { url } }): string {
  return configFile(servers, { gateway: { authorization: { resource, ...authorization } } });
}

test("shows which tokens clients need, and which scopes for each server", async () => {
  const config = configWith(
    { issuer: "https://auth.example.com", scopes: ["mcp"] },
    {
      docs: { url, scopes: ["docs:read"] },
      issues: { url, scopes: { "*": ["issues:read"], "create_*": ["issues:write"] } },
      search: { url },
      off: { url, scopes: ["off"], disabled: true },
    },
  );
  const { text, isValid } = await printCheck({ config });
  expect(isValid).toBe(true);
  expect(text).toBe(
    [
      "Over HTTP, clients need a token of https://auth.example.com for https://gateway.example.com/mcp, with mcp",
      "  docs    docs:read",
      "  issues  issues:read; create_*: issues:read issues:write",
      "  search  no further scope",
      `${config}: 3 servers, no problems`,
      "",
    ].join("\n"),
  );
});

test("says nothing about tokens without an authorization", async () => {
  const config = configFile({ docs: { url } });
  expect((await printCheck({ config })).text).toBe(`${config}: 1 server, no problems\n`);
});

test("asks no issuer, unless it may connect", async () => {
  const server = await issuer();
  server.isUp = false;
  const config = configWith({ issuer: server.url });
  expect((await printCheck({ config })).isValid).toBe(true);
  expect(server.requested).toEqual([]);
  const { text, isValid } = await printCheck({ config }, true);
  expect(isValid).toBe(false);
  expect(text).toContain(`error  gateway-issuer-unusable: tokens of ${server.url} cannot be verified now: `);
  expect(text).toContain("status 503");
  server.isUp = true;
  expect((await printCheck({ config }, true)).isValid).toBe(true);
  expect(server.requested).toContain("/keys");
});

test("finds out that the secret for introspection is wrong", async () => {
  const server = await issuer();
  process.env["GATEWAY_TEST_SECRET"] = "wrong-secret";
  onTestFinished(() => {
    delete process.env["GATEWAY_TEST_SECRET"];
  });
  const introspection = { issuer: server.url, clientId: "gateway", clientSecret: "${env:GATEWAY_TEST_SECRET}" };
  const config = configWith({ introspection });
  const { text, isValid } = await printCheck({ config }, true);
  expect(isValid).toBe(false);
  expect(text).toContain("gateway-issuer-unusable");
  expect(text).not.toContain("wrong-secret");
  process.env["GATEWAY_TEST_SECRET"] = server.secret;
  expect((await printCheck({ config }, true)).text).toContain("1 server, no problems");
});

test("reports a secret that is not set once", async () => {
  const introspection = { issuer: "https://auth.example.com", clientId: "g", clientSecret: "${env:GATEWAY_TEST_NONE}" };
  const { text, isValid } = await printCheck({ config: configWith({ introspection }) }, true);
  expect(isValid).toBe(false);
  expect(text.match(/gateway-variable-unset/g)).toHaveLength(1);
});
