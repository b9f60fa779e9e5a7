import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { createServer as createTcp } from "node:net";
import type { AddressInfo } from "node:net";
import { createServer } from "node:https";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { DiagnosticError } from "../../../../generator/shared/diagnostics/diagnostic.js";
import { inspectServer, type InspectOptions } from "../../../../generator/commands/inspect/inspect-server.js";
import { sandbox } from "../files/sandbox.js";
import { httpServer, script, weatherCommand, weatherUrl } from "./places.js";

/** What an inspection ends with: `id: message | hint`. */
async function failureOf(options: InspectOptions): Promise<string> {
  try {
    await inspectServer(options);
    return "no failure";
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return error.diagnostics.map(({ id, message, hint }) => `${id}: ${message} | ${hint}`).join("\n");
  }
}

const page = "<!DOCTYPE html><html><body>Welcome</body></html>";

describe("servers that are started", () => {
  const table: readonly (readonly [string, readonly string[], RegExp, Partial<InspectOptions>?])[] = [
    ["no such program", ["no-such-program-1"], /^server-command-not-found: cannot start no-such-program-1: .*PATH/],
    ["no such folder", ["node", "x"], /^target-folder-missing: .*\/no\/such\/folder/, { cwd: "/no/such/folder" }],
    [
      "exits at once, and says why",
      script("console.error('The key is missing.\\n    at x.js:1'); process.exit(3)"),
      /^server-exited: .* ended with code 3 before it responded; it wrote: The key is missing\. \| .*--env NAME/,
    ],
    ["exits at once, in silence", script(""), /^server-exited: .* ended with code 0 before it responded \| /],
    ["is killed", script("process.kill(process.pid, 'SIGKILL')"), /^server-exited: .* was ended by SIGKILL/],
    [
      "prints to stdout and exits",
      script("console.log('Server is up')"),
      /^server-stdout-broken: .* Unexpected token 'S', "Server is up" is not valid JSON \| .*logs belong on stderr/,
    ],
    [
      "prints to stdout and stays",
      script("console.log('Server is up'); setInterval(() => {}, 1000)"),
      /^server-stdout-broken: .*Server is up/,
      { timeoutMs: 300 },
    ],
    [
      "says nothing",
      script("setInterval(() => {}, 1000)"),
      /^server-silent: .* did not respond in time: .* \| .*--timeout/,
      { timeoutMs: 300 },
    ],
    [
      "no revision in common",
      weatherCommand({ revisions: ["2025-11-25"] }),
      /^server-no-common-revision: the server and mcpwright have no revision in common: .*handshake.* \| Omit --revision/,
      { revision: "2026-07-28" },
    ],
    [
      "an unknown revision",
      weatherCommand(),
      /^revision-unknown: unknown revision 1999-01-01/,
      { revision: "1999-01-01" },
    ],
    [
      "refuses a request",
      weatherCommand(),
      /^server-refused: the server rejected prompt nothing with error -32602/,
      { request: { kind: "prompt", name: "nothing", arguments: {} } },
    ],
    [
      "goes away in the middle",
      script(`process.stdin.once("data", (line) => {
        const { id } = JSON.parse(String(line).split("\\n")[0]);
        const serverInfo = { name: "x", version: "1" };
        const result = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };
        const error = { code: -32601, message: "?" };
        console.log(JSON.stringify({ jsonrpc: "2.0", id, error }));
        process.stdin.once("data", (next) => {
          console.log(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(String(next)).id, result }));
          process.stdin.once("data", () => process.exit(1));
        });
      })`),
      /^server-gone: the connection to the server was lost/,
    ],
  ];
  const rows = table.map(([name, target, expected, options = {}]) => ({ name, target, expected, options }));
  test.each(rows)("$name", async ({ target, expected, options }) => {
    expect(await failureOf({ target, ...options })).toMatch(expected);
  });

  test("is not a program", async () => {
    const path = join(sandbox(), "data");
    writeFileSync(path, "x");
    chmodSync(path, 0o644);
    expect(await failureOf({ target: [path] })).toMatch(/^server-not-startable: .*EACCES.*chmod/);
  });

  test("reports noise on stdout when everything else works", async () => {
    const [program = "", options = ""] = weatherCommand();
    const noisy = script(
      `console.log("Ready!"); process.argv[2] = ${JSON.stringify(options)}; import(${JSON.stringify(program)})`,
    );
    const { notes, tools } = await inspectServer({ target: noisy });
    expect(notes).toMatchObject([{ id: "server-stdout-noise" }]);
    expect(notes[0]?.message).toContain("Ready!");
    expect(tools).toHaveLength(6);
  });
});

describe("servers at URLs", () => {
  const answers: readonly (readonly [
    string,
    number,
    string,
    Record<string, string>,
    RegExp,
    Record<string, string>?,
  ])[] = [
    [
      "404",
      404,
      "Not Found",
      {},
      /^server-wrong-url: \S+ is not an MCP endpoint: it responded with 404, "Not Found" \| .*\/mcp/,
    ],
    ["a page", 200, page, { "content-type": "text/html" }, /^server-wrong-url: .* responded with 200, an HTML page/],
    ["a page with 404", 404, page, { "content-type": "text/html" }, /^server-wrong-url: .* 404, an HTML page/],
    [
      "a redirect elsewhere",
      302,
      "",
      { location: "https://example.com/" },
      /^server-wrong-url: .*redirects to https:\/\/example\.com/,
    ],
    [
      "401",
      401,
      "",
      { "www-authenticate": "Bearer" },
      /^server-unauthorized: .*\(401, Bearer\) \| Log in with mcpwright login http:\S+, or pass a token with --token/,
    ],
    [
      "401 with a token",
      401,
      "",
      {},
      /^server-unauthorized: .*\(401\) \| The server rejected the token in --header/,
      { Authorization: "Bearer x" },
    ],
    ["403", 403, "Go away", {}, /^server-forbidden: .*\(403\): Go away/],
    ["500", 500, "boom", {}, /^server-http-failed: .*status 500 boom/],
    ["JSON that is no message", 200, "{}", { "content-type": "application/json" }, /^server-wrong-url: /],
  ];
  const rows = answers.map(([name, status, body, headers, expected, sent = {}]) => ({
    name,
    status,
    body,
    headers,
    expected,
    sent,
  }));
  test.each(rows)("$name", async ({ status, body, headers, expected, sent }) => {
    const url = await httpServer((_request, response) => response.writeHead(status, headers).end(body));
    expect(await failureOf({ target: [url], headers: sent })).toMatch(expected);
  });

  test("headers are sent", async () => {
    let token: string | undefined;
    const url = await httpServer((request, response) => {
      token ??= request.headers.authorization;
      response.writeHead(401).end();
    });
    await failureOf({ target: [url], headers: { Authorization: "Bearer secret" } });
    expect(token).toBe("Bearer secret");
  });

  test("a port without a server", async () => {
    const server = createTcp();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect(await failureOf({ target: [`http://127.0.0.1:${port}/mcp`] })).toMatch(
      /^server-port-refused: no server listens/,
    );
  });

  test("an unknown host", async () => {
    expect(await failureOf({ target: ["http://nothing.invalid/mcp"] })).toMatch(/^server-host-unknown: /);
  });

  test("a self-signed certificate", async () => {
    const pem = (name: string) => readFileSync(join(import.meta.dirname, `fixtures/self-signed.${name}.pem`), "utf8");
    const server = createServer({ key: pem("key"), cert: pem("cert") });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    expect(await failureOf({ target: [url] })).toMatch(/^server-certificate: .*self-signed.* \| .*NODE_EXTRA_CA_CERTS/);
  });

  test("https in front of a server that speaks http", async () => {
    const url = await weatherUrl();
    expect(await failureOf({ target: [url.replace("http:", "https:")] })).toMatch(/^server-tls: .* \| .*http:\/\//);
  });

  test("no answer", async () => {
    const url = await httpServer(() => undefined);
    expect(await failureOf({ target: [url], timeoutMs: 300 })).toMatch(/^server-silent: /);
  });
});

test("an inspection that is called off ends, and leaves no server behind", async () => {
  const controller = new AbortController();
  let pid = 0;
  const say =
    'console.log(JSON.stringify({ jsonrpc: "2.0", method: "notifications/x", params: { pid: process.pid } }))';
  const running = inspectServer({
    target: script(`${say}; setInterval(() => {}, 1000)`),
    signal: controller.signal,
    trace(direction, message) {
      if (direction === "out") return;
      ({ pid } = (message as { params: { pid: number } }).params);
      controller.abort();
    },
  });
  await expect(running).rejects.toThrow();
  expect(pid).toBeGreaterThan(0);
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});
