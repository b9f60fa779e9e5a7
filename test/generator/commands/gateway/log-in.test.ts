/** `logIn` of servers in a configuration: each user logs in, at a real authorization server. */
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { lockGateway } from "../../../../generator/commands/gateway/lock/lock-gateway.js";
import { printCheck } from "../../../../generator/commands/gateway/print-check.js";
import { McpServer } from "../../../../runtime/src/server.js";
import { freePort } from "../../../../scripts/free-port.js";
import { FormUser } from "../../../auth-server/form-user.js";
import { urlOf } from "../../shared/sessions/places.js";
import { connectUser, type LogInPlace, logInPlace } from "./log-in-place.js";
import { configFile, configText, listening, patient, textOf, toolNames } from "./places.js";

function open(): Promise<string> {
  const server = new McpServer({ name: "open", version: "1.0.0" });
  server.registerTool("look", {}, () => ({ content: [{ type: "text", text: "seen" }] }));
  return urlOf(server);
}

async function served(at: LogInPlace, servers: Readonly<Record<string, object>>) {
  const told: string[] = [];
  const config = configFile(servers, { gateway: at.gateway });
  await listening({ config, http: { port: at.port, status: true }, tell: (line) => void told.push(line) });
  const edit = (next: Readonly<Record<string, object>>): void => {
    writeFileSync(config, configText(next, { gateway: at.gateway }));
    process.emit("SIGHUP");
  };
  return { config, told, edit };
}

test("each user logs in, and uses the server with their own account", async () => {
  const at = await logInPlace();
  const { told } = await served(at, { docs: { url: at.server.url.href, logIn: true }, open: { url: await open() } });
  expect(told.join("\n")).toContain(
    `Users log in to docs at http://127.0.0.1:${at.port}/log-in; their tokens are kept in ${at.file}`,
  );
  const ada = await connectUser(at.url, "ada");
  const grace = await connectUser(at.url, "grace");
  expect(await toolNames(ada.client)).toEqual(["open_look", "docs_log_in"]);
  expect(await textOf(ada.client, "docs_read")).toBe("read by ada");
  expect(ada.shown).toEqual([expect.stringContaining("You are logged in to docs")]);
  expect(await toolNames(grace.client)).toEqual(["open_look", "docs_log_in"]);
  expect(await textOf(grace.client, "docs_read")).toBe("read by grace");
  expect(await textOf(ada.client, "docs_read")).toBe("read by ada");
  expect([ada.links.length, grace.links.length]).toEqual([1, 1]);
  // The pages of both are at one port.
  expect((await fetch(new URL("/status.json", at.url))).status).toBe(200);
  expect((await fetch(new URL("/elsewhere", at.url))).status).toBe(404);
  if (process.platform !== "win32") expect(statSync(at.file).mode & 0o777).toBe(0o600);
  const kept = readFileSync(at.file, "utf8");
  expect(kept).toContain("ada");
  const tokens = [...kept.matchAll(/eyJ[\w.-]+/g)].map(([token]) => token);
  expect(tokens.length).toBeGreaterThan(0);
  for (const token of tokens) expect(told.join("\n")).not.toContain(token);
});

test("a client that cannot show links gets one as text, which another user cannot use", async () => {
  const at = await logInPlace();
  await served(at, { docs: { url: at.server.url.href, logIn: { scopes: ["files:write"] } } });
  const { client } = await connectUser(at.url, "ada", false);
  const [link = ""] = /http:\S+ticket=[\w.%-]+/.exec(await textOf(client, "docs_log_in")) ?? [];
  expect(await new FormUser({ login: "grace" }).open(link)).toContain("This link is for another user");
  expect(await toolNames(client)).toEqual(["docs_log_in"]);
  expect(await new FormUser({ login: "ada" }).open(link)).toContain("You are logged in to docs");
  // The scope was requested with the log-in.
  expect(await textOf(client, "docs_write")).toBe("write by ada");
});

test("clients that were registered by hand are used, by references", async () => {
  const at = await logInPlace((page) => ({
    registration: true,
    clients: [
      { client_id: "own", client_secret: "secret-of-own", redirect_uris: [`${page}/signed-in`] },
      { client_id: "docs", client_secret: "secret-of-docs", redirect_uris: [`${page}/callback`] },
    ],
  }));
  const folder = join(at.file, "../..");
  writeFileSync(join(folder, "own"), "secret-of-own\n");
  writeFileSync(join(folder, "docs"), "secret-of-docs\n");
  const secret = (name: string): string => `\${file:${join(folder, name)}}`;
  Object.assign(at.gateway.logIn, { clientId: "own", clientSecret: secret("own"), issuer: at.auth.issuer });
  const logIn = { clientId: "docs", clientSecret: secret("docs"), issuer: at.auth.issuer };
  const { told } = await served(at, { docs: { url: at.server.url.href, logIn } });
  const { client, shown } = await connectUser(at.url, "ada");
  expect(await textOf(client, "docs_read")).toBe("read by ada");
  // Only the client of the test has registered itself.
  expect(at.auth.events.filter((event) => event === "register")).toHaveLength(1);
  expect([...told, ...shown].join("\n")).not.toContain("secret-of-");
});

describe("edits", () => {
  test("add, change and remove log-ins, and other servers keep their connections", async () => {
    const at = await logInPlace();
    const docs = { url: at.server.url.href };
    const url = await open();
    const { edit, told } = await served(at, { open: { url } });
    const { client, links } = await connectUser(at.url, "ada");
    expect(await toolNames(client)).toEqual(["open_look"]);
    expect(told.join("\n")).not.toContain("Users log in");

    edit({ open: { url }, docs: { ...docs, logIn: true } });
    await expect.poll(() => told.join("\n"), patient).toContain("Users log in to docs at ");
    expect(await textOf(client, "docs_read")).toBe("read by ada");
    expect(told.join("\n")).toContain("Servers: added docs.");

    // Another field is another connection, with the same log-in.
    edit({ open: { url }, docs: { ...docs, logIn: { scopes: ["files:read"] }, tools: { deny: ["write"] } } });
    await expect.poll(() => told.join("\n"), patient).toContain("Servers: replaced docs.");
    expect(await toolNames(client)).toEqual(["open_look", "docs_read"]);
    expect(await textOf(client, "docs_read")).toBe("read by ada");
    expect(links).toHaveLength(1);

    edit({ open: { url } });
    await expect.poll(() => told.join("\n"), patient).toContain("Servers: removed docs.");
    expect(await toolNames(client)).toEqual(["open_look"]);
    expect(told.join("\n")).not.toContain("replaced open");
  });

  test("that add a log-in to a gateway without authorization are refused until the restart", async () => {
    const at = await logInPlace();
    const url = await open();
    const told: string[] = [];
    const config = configFile({ open: { url } });
    await listening({ config, http: { port: at.port }, tell: (line) => void told.push(line) });
    writeFileSync(
      config,
      configText({ open: { url }, docs: { url: at.server.url.href, logIn: true } }, { gateway: at.gateway }),
    );
    process.emit("SIGHUP");
    await expect.poll(() => told.join("\n"), patient).toContain("is not applied");
    expect(told.join("\n")).toContain("gateway-log-in-later");
    expect(told.join("\n")).toContain("logIn of the server docs");
  });
});

test("a lock has what the user of the command sees, and is enforced for all users", async () => {
  const at = await logInPlace();
  const gateway = { ...at.gateway, pinning: "quarantine" };
  const config = configFile(
    { docs: { url: at.server.url.href, logIn: true }, open: { url: await open() } },
    { gateway },
  );
  const lines: string[] = [];
  const credentials = join(at.file, "../../credentials.json");
  const visits: Promise<string>[] = [];
  const options = {
    config,
    authorization: { credentials, openBrowser: false },
    tell: (line: string): void => {
      lines.push(line);
      if (line.startsWith("http")) visits.push(new FormUser({ login: "operator" }).visit(line));
    },
  };
  const lock = join(config, "../gateway.lock.json");
  // Without a terminal, it asks for no log-in.
  const partial = await lockGateway(options);
  expect(partial.isGood).toBe(false);
  expect(lines).toEqual([
    `docs is not locked, it has no entry: ${at.server.url.href} requires a log-in; log in with "mcpwright login ${at.server.url.href}", and run the command again`,
  ]);
  expect(JSON.parse(readFileSync(lock, "utf8"))).toMatchObject({ servers: [{ name: "open" }] });

  const terminal = { ask: () => Promise.resolve(undefined), end: () => undefined };
  expect(await lockGateway({ ...options, terminal })).toMatchObject({ isGood: true });
  await Promise.all(visits);
  expect(visits).toHaveLength(1);
  expect(await lockGateway({ ...options, isCheck: true })).toMatchObject({ isGood: true });

  const told: string[] = [];
  await listening({ config, http: { port: at.port }, tell: (line) => void told.push(line) });
  const { client } = await connectUser(at.url, "ada");
  expect(await textOf(client, "docs_read")).toBe("read by ada");
  await lockGateway({ ...options, config: configFile({ open: { url: await open() } }), out: lock });
  await expect.poll(() => told, patient).toContain(`${lock} is applied.`);
  await expect(client.callTool({ name: "docs_read" })).rejects.toThrow("withheld");
});

describe("--check --connect", () => {
  const checked = (at: LogInPlace, logIn: unknown, url = at.server.url.href) =>
    printCheck({ config: configFile({ docs: { url, logIn } }, { gateway: at.gateway }) }, true);

  test("accepts authorization servers at which the gateway registers itself, and registers nothing", async () => {
    const at = await logInPlace();
    const { text, isValid } = await checked(at, true);
    expect(text).toContain("1 server, no problems");
    expect(isValid).toBe(true);
    expect(at.auth.events).toEqual([]);
  });

  test("reports those at which it has to be registered by hand", async () => {
    const at = await logInPlace(() => ({ registration: false }));
    const { text, isValid } = await checked(at, true);
    expect(isValid).toBe(false);
    for (const target of ["the gateway", "the server docs"])
      expect(text).toContain(
        `gateway-log-in-unusable: users cannot log in to ${target} now: ${at.auth.issuer} lets no client register itself.`,
      );
    Object.assign(at.gateway.logIn, { clientId: "own" });
    expect(await checked(at, { clientId: "docs" })).toMatchObject({ isValid: true });
  });

  test("sends the headers of a server to no other one", async () => {
    const at = await logInPlace();
    const got: unknown[] = [];
    const start = async (handle: RequestListener): Promise<string> => {
      const server = createServer(handle);
      onTestFinished(() => void server.close());
      await once(server.listen(0, "127.0.0.1"), "listening");
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    };
    const other = await start(({ headers }, response) => {
      got.push(headers["x-key"]);
      response.writeHead(404).end();
    });
    const url = await start(({ headers }, response) => {
      got.push(headers["x-key"]);
      response.writeHead(307, { location: other }).end();
    });
    const docs = { url, headers: { "X-Key": "secret" }, logIn: true };
    const { isValid } = await printCheck({ config: configFile({ docs }, { gateway: at.gateway }) }, true);
    expect(isValid).toBe(false);
    expect(got.filter((key) => key !== undefined)).toEqual(["secret"]);
  });

  test("reports servers that do not respond, or ask for no log-in", async () => {
    const at = await logInPlace();
    const gone = await checked(at, true, `http://127.0.0.1:${await freePort()}/mcp`);
    expect(gone.text).toMatch(/users cannot log in to the server docs now: .*ECONNREFUSED/);
    const unprotected = await checked(at, true, await open());
    expect(unprotected.text).toMatch(/users cannot log in to the server docs now: .*metadata/);
    expect([gone.isValid, unprotected.isValid]).toEqual([false, false]);
  });
});

describe("what cannot be used", () => {
  test("a file that others can read, before the gateway listens", async () => {
    const at = await logInPlace();
    const file = join(at.file, "../..", "public.json");
    writeFileSync(file, "{}", { mode: 0o644 });
    Object.assign(at.gateway.logIn, { file });
    const logIn = served(at, { docs: { url: at.server.url.href, logIn: true } });
    await expect(logIn).rejects.toMatchObject({
      diagnostics: [{ id: "gateway-log-in-refused", message: expect.stringContaining("chmod 600") as string }],
    });
  });

  test("a page where the gateway serves something else", async () => {
    const at = await logInPlace();
    Object.assign(at.gateway.logIn, { url: at.url.href });
    const logIn = served(at, { docs: { url: at.server.url.href, logIn: true } });
    await expect(logIn).rejects.toMatchObject({ diagnostics: [{ id: "gateway-log-in-refused" }] });
  });

  test("references without values; the other servers are served, and SIGHUP tries again", async () => {
    const at = await logInPlace();
    const secret = join(at.file, "../..", "later");
    const logIn = { clientId: "docs", clientSecret: `\${file:${secret}}` };
    const servers = { docs: { url: at.server.url.href, logIn }, open: { url: await open() } };
    const { told } = await served(at, servers);
    expect(told.join("\n")).toContain("gateway-file-unreadable");
    const { client } = await connectUser(at.url, "ada", false);
    expect(await toolNames(client)).toEqual(["open_look"]);
    await expect(client.callTool({ name: "docs_read" })).rejects.toThrow("logIn.clientSecret");
    writeFileSync(secret, "x");
    process.emit("SIGHUP");
    await expect.poll(() => told.join("\n"), patient).toContain("Servers: replaced docs.");
    expect(await toolNames(client)).toEqual(["open_look", "docs_log_in"]);
  });
});
