import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { inspectServer } from "../../../../generator/commands/inspect/inspect-server.js";
import { logInToServer, type LoginOptions } from "../../../../generator/commands/login/log-in-to-server.js";
import { logOutOfServer } from "../../../../generator/commands/logout/log-out-of-server.js";
import { DiagnosticError } from "../../../../generator/shared/diagnostics/diagnostic.js";
import { httpServer, weatherUrl } from "../../shared/sessions/places.js";
import { loginPlace } from "./logged-in.js";

/** What a command ends with: `id: message | hint`. */
async function failureOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "no failure";
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return error.diagnostics.map(({ id, message, hint }) => `${id}: ${message} | ${hint}`).join("\n");
  }
}

const printed = { openBrowser: false } as const;

test("log in, inspect, log out", async () => {
  const { authServer, server, url, credentials, pages, tell, lines } = await loginPlace();
  const result = await logInToServer({ url, credentials, tell, ...printed });
  expect(result).toMatchObject({
    url,
    issuer: authServer.issuer,
    scopes: ["files:read"],
    server: { name: "protected", version: "1.0.0" },
    credentials,
  });
  expect(await pages[0]).toContain("return to mcpwright");
  expect(lines[0]).toBe("To log in, visit:");
  if (process.platform !== "win32") expect(statSync(credentials).mode & 0o777).toBe(0o600);

  const target = [url];
  const { tools } = await inspectServer({ target, authorization: { credentials } });
  expect(tools?.map(({ name }) => name)).toEqual(["read", "write"]);
  expect(lines).toHaveLength(2);

  expect(await logOutOfServer({ url, credentials })).toEqual({ url, wasLoggedIn: true });
  expect(authServer.events.at(-1)).toBe("revoked");
  expect(await logOutOfServer({ url, credentials })).toEqual({ url, wasLoggedIn: false });
  expect(await failureOf(inspectServer({ target, authorization: { credentials } }))).toMatch(
    /^login-required: \S+ requires a log-in \| Run mcpwright login http:\S+ on a terminal, or pass a token with --token/,
  );
  expect(server.responses.at(-1)).toMatch(/^401/);
});

test("inspect lets the user log in, and steps up for a tool that needs another scope", async () => {
  const { authServer, url, credentials, tell, lines } = await loginPlace();
  const authorization = { credentials, canLogIn: true, ...printed };
  const call = { kind: "call", name: "write", arguments: {} } as const;
  const { result } = await inspectServer({ target: [url], authorization, tell, request: call });
  expect(result).toMatchObject({ content: [{ text: "write by ada" }] });
  expect(lines.filter((line) => line.startsWith("http"))).toHaveLength(2);
  expect(authServer.events.filter((event) => event === "register")).toHaveLength(1);
});

test("without a terminal, a tool that needs another scope names the log-in that gives it", async () => {
  const { url, credentials, tell } = await loginPlace();
  await logInToServer({ url, credentials, tell, ...printed });
  const call = { kind: "call", name: "write", arguments: {} } as const;
  const failed = failureOf(inspectServer({ target: [url], authorization: { credentials }, request: call }));
  expect(await failed).toBe(
    `login-scopes-missing: ${url} denies access: tools/call write requires the scopes files:read, files:write | Log in again, as a user who has these rights: mcpwright login ${url} --scope files:read --scope files:write`,
  );
  await logInToServer({ url, credentials, tell, ...printed, scopes: ["files:write"] });
  const { result } = await inspectServer({ target: [url], authorization: { credentials }, request: call });
  expect(result).toMatchObject({ content: [{ text: "write by ada" }] });
});

test.skipIf(process.platform === "win32")("credentials that others can read are refused by every command", async () => {
  const { url, credentials, tell } = await loginPlace();
  await logInToServer({ url, credentials, tell, ...printed });
  chmodSync(credentials, 0o644);
  for (const run of [
    () => logInToServer({ url, credentials, tell, ...printed }),
    () => logOutOfServer({ url, credentials }),
    () => inspectServer({ target: [url], authorization: { credentials } }),
  ])
    expect(await failureOf(run())).toMatch(/^credentials-unusable: .*other users may read .*; run: chmod 600 '.*' \|/);
  chmodSync(credentials, 0o600);
});

test("a corrupt file with credentials is kept, and a new log-in begins", async () => {
  const { url, credentials, tell, lines } = await loginPlace();
  await logInToServer({ url, credentials, tell, ...printed });
  writeFileSync(credentials, "{");
  await logInToServer({ url, credentials, tell, ...printed });
  expect(lines.filter((line) => line.startsWith("warning: "))).toEqual([
    expect.stringMatching(
      /credentials\.json is not a file of credentials; it was renamed to .*you have to log in again/,
    ),
  ]);
  expect((await inspectServer({ target: [url], authorization: { credentials } })).tools).toHaveLength(2);
});

test("a second log-in replaces the first one only when it has succeeded", async () => {
  const { authServer, url, credentials, tell } = await loginPlace();
  await logInToServer({ url, credentials, tell, ...printed });
  const tokens = (): readonly unknown[] => {
    const { records } = JSON.parse(readFileSync(credentials, "utf8")) as { records: Record<string, unknown> };
    return Object.entries(records).filter(([key]) => /^(tokens|server) /.test(key));
  };
  const first = tokens();
  await logInToServer({ url, credentials, tell, ...printed, scopes: ["files:write"] });
  const second = tokens();
  expect(second).not.toEqual(first);
  expect(authServer.events.filter((event) => event === "register")).toHaveLength(1);
  const impatient = logInToServer({ url, credentials, ...printed, loginTimeoutMs: 20 });
  expect(await failureOf(impatient)).toMatch(/^login-failed: .*not finished within .* \| Run the command again/);
  expect(tokens()).toEqual(second);
  expect((await inspectServer({ target: [url], authorization: { credentials } })).tools).toHaveLength(2);
});

test("a client that is registered by hand is kept for refreshes", async () => {
  const client = { client_id: "by-hand", client_secret: "the-secret-of-the-client" };
  const { authServer, url, credentials, tell } = await loginPlace({
    clients: [
      {
        ...client,
        application_type: "native",
        redirect_uris: ["http://127.0.0.1/callback"],
        grant_types: ["authorization_code", "refresh_token"],
        token_endpoint_auth_method: "client_secret_basic",
        scope: "offline_access",
      },
    ],
  });
  expect(await failureOf(logInToServer({ url, credentials, tell, ...printed }))).toMatch(
    /^login-failed: .* knows no client of yours, and registers none \| Pass a token with --token. Or register a client/,
  );
  await logInToServer({
    url,
    credentials,
    tell,
    ...printed,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    scopes: ["offline_access"],
  });
  await authServer.expireAccessTokens();
  const { tools } = await inspectServer({ target: [url], authorization: { credentials } });
  expect(tools).toHaveLength(2);
  await logOutOfServer({ url, credentials });
  expect(readFileSync(credentials, "utf8")).not.toContain(client.client_secret);
});

describe("a log-in that fails", () => {
  const failure = (options: LoginOptions): Promise<string> => failureOf(logInToServer({ ...printed, ...options }));

  test("when the user refuses, it says so on the page and in the command", async () => {
    const { url, credentials, tell, pages } = await loginPlace({ registration: true }, { refuses: true });
    expect(await failure({ url, credentials, tell })).toMatch(/^login-failed: .*access_denied.* \| Log in again/);
    expect(await pages[0]).toContain("You were not logged in");
    expect(existsSync(credentials) && readFileSync(credentials, "utf8").includes("tokens ")).toBe(false);
  });

  test("when the server needs no log-in", async () => {
    const { credentials } = await loginPlace();
    expect(await failure({ url: await weatherUrl(), credentials })).toMatch(/^login-not-offered: .*\/mcp does not ask/);
  });

  test("when the server only wants some token", async () => {
    const { credentials } = await loginPlace();
    const url = await httpServer((_request, response) => response.writeHead(401).end());
    expect(await failure({ url, credentials })).toMatch(
      /^login-failed: cannot log in to \S+: \S+ did not register mcpwright as a client \(status 401\) \| .*--token/,
    );
  });

  test("when the authorization server has a private address", async () => {
    const { credentials } = await loginPlace();
    const url = await httpServer((request, response) => {
      const origin = `http://${request.headers.host ?? ""}`;
      if (!request.url?.startsWith("/.well-known/oauth-protected-resource"))
        return response.writeHead(401, { "www-authenticate": "Bearer" }).end();
      const metadata = { resource: `${origin}/mcp`, authorization_servers: ["https://10.0.0.1"] };
      return response.setHeader("content-type", "application/json").end(JSON.stringify(metadata));
    });
    expect(await failure({ url, credentials })).toMatch(/^login-failed: .*10\.0\.0\.1 .* \| .*--auth-host/);
  });

  test("when the server does not exist, or the URL is none", async () => {
    const { credentials } = await loginPlace();
    const closed = createServer().listen(0);
    const { port } = closed.address() as { port: number };
    await new Promise((resolve) => closed.close(resolve));
    expect(await failure({ url: `http://127.0.0.1:${port}/mcp`, credentials })).toMatch(/^server-port-refused: /);
    expect(await failure({ url: "example.com", credentials })).toMatch(/^target-url-invalid: /);
  });
});

describe("tokens", () => {
  test("are sent, and rejected ones are explained", async () => {
    const { authServer, url, credentials, tell, server } = await loginPlace();
    await logInToServer({ url, credentials, tell, ...printed });
    const text = readFileSync(credentials, "utf8");
    const [, token = ""] = /accessToken\\":\\"([^"\\]+)/.exec(text) ?? [];
    const target = [url];
    for (const authorization of [{ token }, { defaultToken: token }])
      expect((await inspectServer({ target, authorization })).tools).toHaveLength(2);
    const rejected = await failureOf(inspectServer({ target, authorization: { token: "wrong-token-1" } }));
    expect(rejected).toMatch(/^server-unauthorized: .* \| The server rejected the token in --token/);
    expect(rejected).not.toContain("wrong-token-1");
    const headers = { Authorization: `Bearer ${token}` };
    expect((await inspectServer({ target, headers, authorization: { defaultToken: "x" } })).tools).toHaveLength(2);
    expect(server.responses.length).toBeGreaterThan(0);
    expect(authServer.events.filter((event) => event === "page").length).toBeGreaterThan(0);
  });

  test.each(["http://example.com/mcp", "http://127.0.0.1.example.com/mcp", "http://10.0.0.1/mcp"])(
    "are not sent to %s",
    async (url) => {
      expect(await failureOf(inspectServer({ target: [url], authorization: { token: "t" } }))).toMatch(
        /^token-unencrypted: the token is not sent to http:\/\/\S+, because http is not encrypted/,
      );
    },
  );
});
