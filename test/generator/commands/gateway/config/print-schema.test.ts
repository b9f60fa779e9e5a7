import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { format, resolveConfig } from "prettier";
import { describe, expect, test } from "vitest";
import { algorithms } from "../../../../../generator/commands/gateway/config/authorization-fields.js";
import { configSchema, printSchema } from "../../../../../generator/commands/gateway/config/print-schema.js";
import { readGatewayConfig } from "../../../../../generator/commands/gateway/config/read-config.js";
import { signatureAlgorithms } from "../../../../../runtime/src/auth-server/signature-algorithms.js";

const ajv = new Ajv({ strict: true, strictRequired: false, strictTypes: false });
ajv.addVocabulary(["allowComments", "allowTrailingCommas"]);
const isValid: ValidateFunction = ajv.compile(configSchema());

/** Whether the reader reports no error. */
function isRead(value: unknown): boolean {
  return readGatewayConfig(JSON.stringify(value), { path: "g.json" }).config !== undefined;
}

const path = join(import.meta.dirname, "../../../../../docs/reference/gateway.schema.json");

test("the published file is up to date: npx tsx scripts/gateway-schema.ts", async () => {
  const expected = await format(printSchema(), { ...(await resolveConfig(path)), filepath: path });
  expect(readFileSync(path, "utf8")).toBe(expected);
});

test("every field has a description", () => {
  const described = JSON.stringify(configSchema()).match(/"properties":\{.*?\}/g) ?? [];
  expect(described.length).toBeGreaterThan(5);
  const visit = (schema: unknown): void => {
    if (typeof schema !== "object" || schema === null) return;
    const { properties, if: _if, then: _then, ...rest } = schema as Record<string, unknown>;
    for (const [name, one] of Object.entries((properties ?? {}) as Record<string, { description?: string }>)) {
      expect(one.description, name).toMatch(/\S/);
      visit(one);
    }
    Object.values(rest).forEach(visit);
  };
  visit(configSchema());
});

const stdio = {
  type: "stdio",
  command: "npx",
  args: ["-y", "${env:A}", "$${B}", "$", "$$", "a$b", "${A:-}", "${file:a b}", "${input:i}", "${/}", "$$${A}"],
  env: { A: "${workspaceFolder}" },
  envFile: "${userHome}/.env",
  cwd: "/a",
  disabled: false,
  tools: {
    allow: ["a*"],
    deny: ["b"],
    rename: { a: "b" },
    override: { a: { title: "A", description: "", annotations: { title: "A", readOnlyHint: true } } },
  },
  isolation: "shared",
  timeoutMs: 1,
  idleMs: 0,
  limits: { concurrency: 1, callsPerMinute: 1, maxBytes: 1024, timeoutMs: 1 },
  scopes: { "*": ["a"], "write_*": ["b:c"] },
  alwaysAllow: ["x"],
};
const http = {
  transport: "sse",
  url: "https://${HOST}:${PORT}/mcp?a=b#c",
  headers: { "X-A": "Bearer ${TOKEN}" },
  scopes: ["a"],
  auth: {
    type: "service",
    clientId: "a",
    CLIENT_SECRET: "${S}",
    scopes: ["a:b"],
    issuer: "https://h/x",
    authHosts: ["h"],
  },
};
const ofUsers = {
  url: "https://h/mcp",
  headers: { "X-A": "a" },
  logIn: { clientId: "a", clientSecret: "${S}", scopes: ["a:b"], issuer: "https://h/x", authHosts: ["[::1]"] },
};
const full = {
  $schema: "x",
  mcpServers: { a: stdio, b: http, c: ofUsers, d: { url: "https://h/mcp", logIn: true } },
  inputs: [{ type: "promptString", id: "i", description: "I", default: "", password: true, options: [] }],
  gateway: {
    name: "g",
    names: { separator: "_", maxLength: 64 },
    instructions: false,
    pinning: "report",
    lock: "approved.json",
    review: "results",
    audit: { file: "${A}", arguments: true, redact: ["*"] },
    authorization: {
      resource: "https://h/mcp",
      issuer: ["https://h", "http://localhost:1/a"],
      jwks: "https://h/keys",
      algorithms: ["ES256"],
      introspection: { issuer: "https://i", clientId: "a", clientSecret: "${S}", endpoint: "https://i/introspect" },
      audience: "https://h",
      scopes: ["a"],
      scopeIncludes: { a: ["b"] },
    },
    logIn: {
      url: "https://h/log-in",
      file: "${A}/log-ins.json",
      clientId: "a",
      clientSecret: "${S}",
      issuer: "https://h",
      authHosts: ["h"],
    },
  },
  theme: "dark",
};

/** All paths to values inside `value`. */
function paths(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, one]) => paths(one, [...path, name]))];
}

function changed(value: unknown, [name, ...rest]: readonly string[], change: (object: unknown) => unknown): unknown {
  if (name === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((one, at) => (String(at) === name ? changed(one, rest, change) : (one as unknown)));
  const record = value as Record<string, unknown>;
  return { ...record, [name]: changed(record[name], rest, change) };
}

describe("validates like the reader", () => {
  test("a configuration with all fields", () => {
    expect(isValid(full)).toBe(true);
    expect(isRead(full)).toBe(true);
  });

  const values = [null, true, false, 0, 1.5, 64, 1e12, "", " ", "a", "none", "${", [], [1], {}, { a: 1 }];
  const all = paths(full).flatMap((path) => values.map((value) => [path.join("."), value, path] as const));

  test(`each of ${values.length} values in place of each value`, () => {
    const outcomes = all.map(([name, value, path]) => {
      const document = changed(full, path, () => value);
      return { name: `${name}: ${JSON.stringify(value)}`, valid: isValid(document), read: isRead(document) };
    });
    const differing = outcomes.filter(({ valid, read }) => valid !== read).map(({ name }) => name);
    // Only the reader knows which inputs exist.
    const withoutInput = ["inputs: []", "inputs.0.id: "];
    expect(differing.filter((one) => !withoutInput.some((known) => one.startsWith(known)))).toEqual([]);
    expect(outcomes.filter(({ read }) => !read).length).toBeGreaterThan(500);
    expect(outcomes.filter(({ read }) => read).length).toBeGreaterThan(100);
  });

  test("with an unknown or without each field", () => {
    const documents = paths(full).flatMap((path) => [
      changed(full, path, (one) => (typeof one === "object" && !Array.isArray(one) ? { ...one, unknown: 1 } : one)),
      changed(full, path.slice(0, -1), (one) =>
        Array.isArray(one)
          ? one
          : Object.fromEntries(Object.entries(one as object).filter(([name]) => name !== path.at(-1))),
      ),
    ]);
    const differing = documents.filter((document) => isValid(document) !== isRead(document));
    // Without the inputs, the reference to one of them is invalid for the reader.
    expect(differing.map((one) => JSON.stringify(one)).filter((one) => one.includes('"inputs"'))).toEqual([]);
    expect(documents.filter((document) => !isValid(document)).length).toBeGreaterThan(20);
  });

  test.each([
    ["both command and url", { mcpServers: { a: { command: "x", url: "http://h/" } } }, false],
    ["neither", { mcpServers: { a: { args: [] } } }, false],
    ["stdio with a url", { servers: { a: { type: "stdio", url: "http://h/" } } }, false],
    ["http with a command", { servers: { a: { transport: "streamableHttp", command: "x" } } }, false],
    ["type and transport", { servers: { a: { type: "stdio", transport: "stdio", command: "x" } } }, false],
    ["both lists of servers", { mcpServers: {}, servers: {} }, false],
    ["no list of servers", {}, false],
    ["an empty list of servers", { servers: {} }, true],
    ["an empty name", { servers: { "": { command: "x" } } }, false],
    ["a password", { servers: { a: { url: "http://u:p@h/" } } }, false],
    ["a variable as the URL", { servers: { a: { url: "${URL}" } } }, true],
    ["a secret without its client", { servers: { a: { url: "http://h/", auth: { clientSecret: "x" } } } }, false],
    [
      "a service without a secret",
      { servers: { a: { url: "http://h/", auth: { type: "service", CLIENT_ID: "x" } } } },
      false,
    ],
    ["names that stay", { servers: {}, gateway: { names: "none" } }, true],
    ["scopes without an authorization", { servers: { a: { url: "http://h/", scopes: [] } }, gateway: {} }, false],
    ["scopes without settings", { mcpServers: { a: { command: "x", scopes: ["a"] } } }, false],
    ["a log-in without an authorization", { servers: { a: { url: "http://h/", logIn: true } }, gateway: {} }, false],
    ["a page without an authorization", { servers: {}, gateway: { logIn: {} } }, false],
    ["a log-in of each user and one for all", { ...full, mcpServers: { a: { ...ofUsers, auth: {} } } }, false],
    ["the secret of no client", { ...full, mcpServers: { a: { ...ofUsers, logIn: { clientSecret: "x" } } } }, false],
    [
      "a port of an authorization server",
      { servers: { a: { url: "http://h/", auth: { authHosts: ["h:1"] } } } },
      false,
    ],
    ["a nested reference", { servers: { a: { command: "${A:-${B}}" } } }, false],
  ])("%s", (_name, document, expected) => {
    expect([isValid(document), isRead(document)]).toEqual([expected, expected]);
  });
});

test("the algorithms are those that can be verified", () => {
  expect([...algorithms].sort()).toEqual([...signatureAlgorithms.keys()].sort());
});

test("the pattern of references takes time in proportion to the length", () => {
  const started = performance.now();
  for (const text of [
    "$${".repeat(20_000),
    "$".repeat(50_000),
    `${"${A}".repeat(20_000)}\${`,
    `${"$$".repeat(20_000)}\${ }`,
  ])
    isValid({ servers: { a: { command: text } } });
  expect(performance.now() - started).toBeLessThan(5_000);
});
