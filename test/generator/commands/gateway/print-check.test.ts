import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { printCheck } from "../../../../generator/commands/gateway/print-check.js";
import { credentialsPath } from "../../../../generator/shared/sessions/credentials-path.js";
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

test("shows where users log in, and reports secrets that are not set", async () => {
  const authorization = { resource, issuer: "https://auth.example.com" };
  const logIn = { file: "users.json", clientId: "gateway", clientSecret: "${env:GATEWAY_TEST_NONE}" };
  const servers = {
    docs: { url, logIn: true },
    issues: { url, logIn: { clientId: "issues", clientSecret: "${env:GATEWAY_TEST_NONE}" } },
    search: { url },
  };
  const valid = configFile(
    { docs: servers.docs, search: servers.search },
    { gateway: { authorization, logIn: { file: "users.json" } } },
  );
  expect((await printCheck({ config: valid })).text).toContain(
    `Users log in to docs at https://gateway.example.com/log-in; their tokens are kept in ${join(valid, "../users.json")}\n`,
  );
  const page = { ...logIn, clientSecret: "x", url: "https://gateway.example.com/mcp" };
  const taken = await printCheck({
    config: configFile({ docs: servers.docs }, { gateway: { authorization, logIn: page } }),
  });
  expect(taken.text).toContain(
    "gateway-log-in-refused: gateway.logIn cannot be used: the gateway serves something else at /mcp",
  );
  const { text, isValid } = await printCheck({ config: configFile(servers, { gateway: { authorization, logIn } }) });
  expect(isValid).toBe(false);
  expect(text.match(/gateway-variable-unset/g)).toHaveLength(2);
  expect(text).toContain("logIn.clientSecret of the server issues needs the variable");
  expect(text).toContain("gateway.logIn.clientSecret needs the variable");
});

test("without a file, the tokens are kept beside the credentials of log-ins", async () => {
  const config = configWith({ issuer: "https://auth.example.com" }, { docs: { url, logIn: true } });
  expect((await printCheck({ config })).text).toContain(
    `kept in ${join(credentialsPath(), "../gateway-log-ins", "gateway.example.com%2Flog-in.json")}\n`,
  );
});
