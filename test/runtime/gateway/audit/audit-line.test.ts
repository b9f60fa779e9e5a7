import { describe, expect, test } from "vitest";
import { auditLine, type AuditOptions, createAuditLog } from "../../../../runtime/src/gateway/audit/audit-line.js";
import type { AuditRecord } from "../../../../runtime/src/gateway/audit/audit-record.js";

const record: AuditRecord = {
  time: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  client: { name: "desktop" },
  server: "mail",
  method: "tools/call",
  item: "send",
  durationMs: 12.34567,
  outcome: { kind: "ok" },
};
const parse = (changes: object, options?: AuditOptions): Readonly<Record<string, unknown>> =>
  JSON.parse(auditLine({ ...record, ...changes }, options)) as Readonly<Record<string, unknown>>;
const logged = (given: unknown, ...redact: (string | RegExp)[]): unknown =>
  parse({ arguments: given }, { arguments: true, redact })["arguments"];

test("a line is JSON with flat members", () => {
  expect(auditLine(record)).toBe(
    '{"time":"2026-01-02T03:04:05.006Z","client":"desktop","server":"mail","method":"tools/call","item":"send","durationMs":12.346,"outcome":"ok"}',
  );
});

test("a line has all that is known", () => {
  const principal = { issuer: "https://login.example.com", subject: "anna" };
  const client = { session: "7", principal, name: "desktop" };
  expect(parse({ client, bytes: 120, outcome: { kind: "error", code: -32602 } })).toEqual({
    time: "2026-01-02T03:04:05.006Z",
    session: "7",
    issuer: "https://login.example.com",
    subject: "anna",
    client: "desktop",
    server: "mail",
    method: "tools/call",
    item: "send",
    durationMs: 12.346,
    outcome: "error",
    code: -32602,
    bytes: 120,
  });
});

test.each(["ok", "tool-error", "cancelled", "timeout"])("an outcome is %s", (kind) => {
  expect(parse({ outcome: { kind } })["outcome"]).toBe(kind);
});

test("arguments are written only on request", () => {
  expect(parse({ arguments: { to: "anna" } })).not.toHaveProperty("arguments");
  expect(logged({ to: "anna", n: [1, true, null] })).toEqual({ to: "anna", n: [1, true, null] });
  expect(parse({}, { arguments: true })).not.toHaveProperty("arguments");
});

describe("members with secret names are redacted", () => {
  test.each([
    "token",
    "access_token",
    "X-Auth-Token",
    "password",
    "userPassword",
    "PASSWD",
    "pwd",
    "passphrase",
    "secret",
    "clientSecret",
    "authorization",
    "Proxy-Authorization",
    "api_key",
    "apiKey",
    "X-API-Key",
    "private-key",
    "credentials",
    "Set-Cookie",
    "sessionId",
    "pin",
    "otp",
    "ｐａｓｓｗｏｒｄ",
    "x".repeat(1_000),
  ])("%s", (name) => {
    for (const value of ["hunter2", 1234, { a: "hunter2" }, ["hunter2"]])
      expect(JSON.stringify(logged({ deep: [{ [name]: value }] }))).not.toMatch(/hunter2|1234/);
  });

  test.each(["key", "title", "author", "opinion", "passage", "keyboard", "compass"])("but not %s", (name) => {
    expect(logged({ [name]: "shown" })).toEqual({ [name]: "shown" });
  });
});

describe("the option redact", () => {
  const given = {
    email: "a",
    "E-Mail": "b",
    customer: { name: "c", phones: ["d", "e"] },
    items: [{ name: "f", price: 1 }],
  };

  test.each([
    [
      "a name, regardless of case and separators",
      ["e_mail"],
      { ...given, email: "[redacted]", "E-Mail": "[redacted]" },
    ],
    ["a path", ["/customer/name"], { ...given, customer: { ...given.customer, name: "[redacted]" } }],
    ["a path to all of a list", ["/items/*/name"], { ...given, items: [{ name: "[redacted]", price: 1 }] }],
    ["a path to an item", ["/customer/phones/1"], { ...given, customer: { name: "c", phones: ["d", "[redacted]"] } }],
    ["a path that is not a pattern", ["/.*"], given],
    ["a pattern of names", [/^price$/], { ...given, items: [{ name: "f", price: "[redacted]" }] }],
    [
      "a pattern of paths",
      [/^\/customer\/phones\//],
      { ...given, customer: { name: "c", phones: ["[redacted]", "[redacted]"] } },
    ],
    ["a pattern that remembers its position", [/mail/gi], { ...given, email: "[redacted]", "E-Mail": "[redacted]" }],
  ] as const)("redacts by %s", (_, redact, expected) => {
    expect(logged(given, ...redact)).toEqual(expected);
  });

  test.each([[""], [1], [null]])("rejects %j", (rule) => {
    const redact = [rule as string];
    expect(() => createAuditLog(() => undefined, { redact })).toThrow(
      "redact must contain non-empty strings and regular expressions",
    );
  });
});

describe("texts that are secret by their form are redacted", () => {
  const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
  test.each([
    ["a JWT", `see ${jwt}.`, "see [redacted]."],
    ["a JWT that is cut", `see ${jwt.slice(0, 30)}`, "see [redacted]"],
    ["a bearer token", "Bearer abc.def-123", "Bearer [redacted]"],
    ["basic credentials", "basic YTpiY2RlZg==", "basic [redacted]"],
    ["a token of GitHub", `use ghp_${"a1".repeat(18)} now`, "use [redacted] now"],
    ["a key of a provider", `sk-proj-${"a1".repeat(20)}`, "[redacted]"],
    ["a private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END", "[redacted]"],
    ["credentials in a URL", "https://anna:hunter2@example.com/a", "https://[redacted]@example.com/a"],
    [
      "a token in a URL",
      "https://example.com/?a=1&access_token=hunter2#b",
      "https://example.com/?a=1&access_token=[redacted]#b",
    ],
    ["a key in a URL", "https://example.com/?key=hunter2", "https://example.com/?key=[redacted]"],
    ["a code in a URL", "https://example.com/?code=hunter2&state=x", "https://example.com/?code=[redacted]&state=x"],
    ["a header", 'Authorization: Digest a="hunter2", b=hunter3\nHost: x', "Authorization: [redacted]\nHost: x"],
    ["a header in JSON", '{"Authorization":"Token hunter2","a":1}', '{"Authorization":"[redacted]","a":1}'],
    ["an assignment", "password: hunter2, name: x", "password: [redacted], name: x"],
    ["an assignment in JSON in a string of JSON", '{\\"api_key\\":\\"hunter2\\"}', '{\\"api_key\\":\\"[redacted]\\"}'],
    ["an assignment in JSON", '{"api_key":"hunter2"}', '{"api_key":"[redacted]"}'],
  ])("%s", (_, text, expected) => {
    expect(logged({ a: text })).toEqual({ a: expected });
    expect(parse({ item: text })["item"]).toBe(expected);
    expect(parse({ client: { name: text } })["client"]).toBe(expected);
    expect(parse({ outcome: { kind: "error", code: text } })["code"]).toBe(expected);
  });

  test.each(["the bearer of news", "https://example.com/?q=code", "token of thanks", "a@b.c", "task-force"])(
    "but not %j",
    (text) => {
      expect(logged({ a: text })).toEqual({ a: text });
    },
  );

  test("also in the names of members", () => {
    expect(JSON.stringify(logged({ [`k ${jwt}`]: 1 }))).not.toContain(jwt.slice(0, 20));
  });

  test("a token at any place of a long text does not appear in part", () => {
    for (let at = 0; at < 5_000; at += 37) {
      const line = auditLine(
        { ...record, arguments: { a: `${"x ".repeat(at)}${jwt}`.slice(at) } },
        { arguments: true },
      );
      expect(line).not.toMatch(/eyJhbGci/);
    }
  });
});

describe("a line", () => {
  const hostile = 'a\n\r\u2028\u2029\u0085\u001b[2J\u009b\u202e\u{e0068}\ud800"\\';

  test("has no line break and no hidden character of its data", () => {
    const changes = { item: hostile, server: hostile, client: { name: hostile }, arguments: { [hostile]: hostile } };
    const line = auditLine({ ...record, ...changes }, { arguments: true });
    expect(line).toMatch(/^[\x20-\x7e]*$/);
    expect(JSON.parse(line)).toMatchObject({ ...changes, client: hostile });
  });

  test.each([
    ["a long string", { a: "x".repeat(10_000_000) }],
    ["a long string of controls", { a: "\0".repeat(10_000_000) }],
    ["a long string of quotes", { a: '"'.repeat(10_000_000) }],
    ["many strings", Array.from({ length: 100_000 }, () => "\0".repeat(100))],
    ["many members", Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`\0${at}`, at]))],
    ["long names", { ["\0".repeat(1_000_000)]: { ["\0".repeat(1_000_000)]: 1 } }],
    ["many empty arrays", Array.from({ length: 100_000 }, () => [])],
    [
      "nested arrays",
      Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => Array.from({ length: 10 }, () => [["\0"]]))),
    ],
    ["a string", "\0".repeat(100_000)],
  ])("is bounded with %s", (_, given) => {
    const long = "\0".repeat(1_000_000);
    const client = { session: long, name: long, principal: { issuer: long, subject: long } };
    const outcome = { kind: "error", code: long } as const;
    const full = {
      ...record,
      client,
      outcome,
      server: long,
      method: long,
      item: long,
      durationMs: -1e-200,
      time: -8.64e15,
    };
    for (const maxLength of [4_096, 8_192, 100_000]) {
      const line = auditLine({ ...full, bytes: Number.MAX_VALUE, arguments: given }, { arguments: true, maxLength });
      expect(line.length).toBeLessThanOrEqual(maxLength);
      expect(JSON.parse(line)).toHaveProperty("arguments");
      expect(line).not.toContain("too long");
    }
  });

  test("states how long a cut string was", () => {
    expect(logged({ a: "x".repeat(1_000_000) })).toEqual({
      a: expect.stringMatching(/^x{900,}… \(1000000 characters\)$/) as string,
    });
  });

  test("shows deep arguments in part", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(JSON.stringify(logged(deep))).toBe(`${"[".repeat(10)}"[deeper]"${"]".repeat(10)}`);
  });

  test("shows that members are missing", () => {
    const numbers = Array.from({ length: 100_000 }, (_, at) => at);
    expect((logged(numbers) as unknown[]).at(-1)).toBe("[more]");
  });

  test("keeps members with the names of inherited ones", () => {
    const given = JSON.parse('{"__proto__":{"a":1},"constructor":"b"}') as object;
    expect(JSON.stringify(logged(given))).toBe('{"__proto__":{"a":1},"constructor":"b"}');
  });

  test("has values that JSON does not have", () => {
    expect(logged({ a: 1n, b: undefined, c: Number.NaN, d: () => 1 })).toEqual({ a: "1", c: null });
    expect(parse({ time: Number.NaN, durationMs: Number.NaN })).toMatchObject({ durationMs: null });
  });

  test("is not shorter than needed", () => {
    expect(() => auditLine(record, { maxLength: 4_095 })).toThrow("maxLength must be 4096 or more, not 4095");
    expect(() => auditLine(record, { maxLength: Number.NaN })).toThrow("maxLength must be 4096 or more, not NaN");
  });
});

test("a log writes each record to its sink", () => {
  const lines: string[] = [];
  const audit = createAuditLog((line) => lines.push(line), { arguments: true });
  audit(record);
  audit({ ...record, arguments: { a: 1 } });
  expect(lines).toEqual([auditLine(record), auditLine({ ...record, arguments: { a: 1 } }, { arguments: true })]);
});
