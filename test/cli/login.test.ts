import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { loginPlace } from "../generator/commands/login/logged-in.js";
import { sandbox } from "../generator/shared/files/sandbox.js";
import { weatherCommand, weatherUrl } from "../generator/shared/sessions/places.js";
import { cli, exitCode, startCli } from "./command-line.js";
import { withUser } from "./with-user.js";

const variables = ["XDG_CONFIG_HOME", "APPDATA", "MCPWRIGHT_TOKEN", "BROWSER"] as const;
const before = new Map(variables.map((name) => [name, process.env[name]]));
let home = "";

beforeEach(() => {
  home = sandbox();
  Object.assign(process.env, { XDG_CONFIG_HOME: home, APPDATA: home, BROWSER: "none" });
  delete process.env["MCPWRIGHT_TOKEN"];
});
afterEach(() => {
  for (const [name, value] of before)
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
});

const credentials = (): string => readFileSync(join(home, "mcpwright/credentials.json"), "utf8");

/** Makes standard input look like a terminal at which the user types nothing. */
function sitAtTerminal(): void {
  const { isTTY } = process.stdin;
  process.stdin.isTTY = true;
  onTestFinished(() => {
    process.stdin.isTTY = isTTY;
  });
}

test("login, inspect, bind, logout", async () => {
  const { url, authServer } = await loginPlace();
  const login = await withUser(false, "login", url);
  expect(login).toMatchObject({ code: 0, err: expect.stringMatching(/^To log in, visit:\nhttp/) as string });
  expect(login.out).toBe(
    `Logged in to protected 1.0.0 at ${url}\n  by ${authServer.issuer}, with the scopes files:read\n  credentials in ${join(home, "mcpwright/credentials.json")}\n`,
  );
  expect(await cli("inspect", url)).toMatchObject({ code: 0, err: "" });
  const client = join(sandbox(), "client.ts");
  expect(await cli("bind", url, "--out", client)).toMatchObject({ code: 0 });
  expect(readFileSync(client, "utf8")).toContain("export async function write(");
  expect(await cli("logout", url)).toEqual({ code: 0, out: `Logged out of ${url}\n`, err: "" });
  expect(await cli("logout", url)).toEqual({ code: 0, out: `You were not logged in to ${url}\n`, err: "" });
  expect(await cli("logout", "--json", url)).toMatchObject({
    code: 0,
    out: `${JSON.stringify({ url, wasLoggedIn: false }, null, 2)}\n`,
  });
});

test("without a terminal, one error names the ways to log in", async () => {
  const { url, authServer } = await loginPlace();
  for (const verb of ["inspect", "bind"]) {
    const { code, out, err } = await cli(verb, url);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toBe(
      `error[login-required]: ${url} requires a log-in\n  Run mcpwright login ${url} on a terminal, or pass a token with --token or in MCPWRIGHT_TOKEN.\n`,
    );
  }
  expect(authServer.events).toEqual([]);
  expect(readdirSync(home)).toEqual([]);
});

test("on a terminal, inspect and bind log in by themselves", async () => {
  sitAtTerminal();
  const { url } = await loginPlace();
  const inspected = await withUser(true, "inspect", url, "--call", "write");
  expect(inspected).toMatchObject({ code: 0, out: expect.stringContaining("write by ada") as string });
  expect(await withUser(true, "bind", url)).toMatchObject({ code: 0, err: "" });
});

test.skipIf(process.platform === "win32")("Ctrl-C ends the wait for the user at once", async () => {
  const { url } = await loginPlace();
  const child = startCli(["login", url, "--no-browser"], { env: { XDG_CONFIG_HOME: home } });
  let err = "";
  child.stderr?.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const ended = exitCode(child);
  await expect.poll(() => /^http\S+\n/m.exec(err)?.[0], { timeout: 20_000 }).toBeDefined();
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  expect(credentials()).not.toContain("accessToken");
});

test("a server without a log-in gets none, and no file is written", async () => {
  expect(await cli("inspect", await weatherUrl())).toMatchObject({ code: 0, err: "" });
  expect(readdirSync(home)).toEqual([]);
});

test("no output and no trace contains a token, a code or a secret", async () => {
  sitAtTerminal();
  const secret = "secret-of-the-registered-client";
  const { url } = await loginPlace({
    clients: [
      {
        client_id: "by-hand",
        client_secret: secret,
        application_type: "native",
        redirect_uris: ["http://127.0.0.1/callback"],
        grant_types: ["authorization_code", "refresh_token"],
        token_endpoint_auth_method: "client_secret_post",
        scope: "offline_access",
      },
    ],
  });
  const file = join(sandbox(), "secret.txt");
  writeFileSync(file, `${secret}\n`);
  const trace = join(sandbox(), "talk.jsonl");
  const client = ["--client-id", "by-hand", "--client-secret-file", file, "--scope", "offline_access"];
  const outcomes = [
    await withUser(true, "inspect", url, ...client, "--trace", trace, "--call", "read"),
    await withUser(true, "inspect", url, "--call", "write", "--trace="),
    await withUser(true, "login", url, "--json"),
    await cli("inspect", url, "--token", "wrong-token-of-the-user"),
    await cli("inspect", url, "--json", "--header", "Authorization: Bearer wrong-token-of-the-user"),
  ];
  const secrets = [...credentials().matchAll(/(?:Token|Secret|verifier)\\":\\"([^"\\]+)/g)].map(
    ([, value = ""]) => value,
  );
  expect(secrets).toContain(secret);
  expect(secrets.length).toBeGreaterThanOrEqual(3);
  const printed = JSON.stringify(outcomes) + readFileSync(trace, "utf8");
  expect(readFileSync(trace, "utf8")).toContain("tools/call");
  for (const value of [...secrets, "wrong-token-of-the-user"]) expect(printed).not.toContain(value);
  expect(printed).not.toMatch(/code=|Bearer [\w-]{10}/);
  await cli("logout", url);
  expect(credentials()).not.toContain(secret);
});

describe("tokens", () => {
  test("come from an option, a file or a variable", async () => {
    const { url } = await loginPlace();
    await withUser(false, "login", url);
    const [, token = ""] = /accessToken\\":\\"([^"\\]+)/.exec(credentials()) ?? [];
    const file = join(sandbox(), "token");
    writeFileSync(file, `${token}\n`);
    process.env["XDG_CONFIG_HOME"] = process.env["APPDATA"] = sandbox();
    expect((await cli("inspect", url)).code).toBe(1);
    for (const given of [token, `@${file}`]) expect((await cli("inspect", url, "--token", given)).code).toBe(0);
    process.env["MCPWRIGHT_TOKEN"] = token;
    expect((await cli("inspect", url)).code).toBe(0);
    expect((await cli("inspect", url, "--header", "Authorization: Bearer other")).err).toContain("token in --header");
    expect((await cli("inspect", url, "--token", "other")).err).toContain("token in --token");
    expect((await cli("inspect", "--", ...weatherCommand())).code).toBe(0);
  });

  test.each([
    ["inspect http://127.0.0.1:1 --token a --header Authorization:b", "Use only one of --token and --header"],
    ["inspect http://127.0.0.1:1 --token a --client-id b", "--token replaces the log-in"],
    ["inspect http://127.0.0.1:1 --token a,b", "--token does not contain a token"],
    ["inspect http://127.0.0.1:1 --token @/no/such/file", "--token: cannot read /no/such/file: ENOENT"],
    ["inspect http://127.0.0.1:1 --client-secret-file x", "--client-secret-file requires --client-id."],
    [
      "bind http://127.0.0.1:1 --client-id x --client-secret-file /none",
      "--client-secret-file: cannot read /none: ENOENT",
    ],
    ["inspect x.mjs --token a", "error[target-not-found]"],
    ["inspect some-server --token a", "error[target-option-unfit]: --token does not apply"],
    ["inspect some-server --scope a", "error[target-option-unfit]: --scope does not apply"],
    ["inspect http://example.com/mcp --token a", "error[token-unencrypted]"],
    ["login", "An argument is missing: mcpwright login <url>"],
    ["login x", "error[target-url-invalid]"],
    ["login http://127.0.0.1:1 --timeout 0", "--timeout must be a positive number of seconds"],
    ["login http://127.0.0.1:1 --browser", "--browser"],
    ["logout x", "error[target-url-invalid]"],
  ])("mcpwright %s", async (line, expected) => {
    const outcome = await cli(...line.split(" "));
    expect(outcome).toMatchObject({ code: 2, out: "" });
    expect(outcome.err).toContain(expected);
  });

  test("in a variable must be tokens", async () => {
    process.env["MCPWRIGHT_TOKEN"] = "two words";
    const { code, err } = await cli("inspect", "http://127.0.0.1:1");
    expect({ code, err }).toEqual({ code: 2, err: expect.not.stringContaining("two words") as string });
    expect(err).toContain("MCPWRIGHT_TOKEN does not contain a token");
  });
});
