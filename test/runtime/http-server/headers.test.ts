/** Headers of the stateless era that repeat parts of the request (MCP 2026-07-28, Streamable HTTP). */
import { describe, expect, test } from "vitest";
import { hosts, type Sent } from "./hosts.js";
import { call, type Message, modern, type Modern, open, plain, R4, R5, request, VERSION } from "./messages.js";
import { Subject } from "./subject.js";

const MISMATCH = [400, -32020] as const;
const FINE = [200, undefined] as const;
type Gets = readonly [status: number, code: number | undefined];

const sentinel = (text: string): string => `=?base64?${Buffer.from(text).toString("base64")}?=`;
const zoned = (zone: unknown, header: string | undefined): Sent =>
  call(1, "region", { where: { zone } }, { headers: { "mcp-param-zone": header } });
const counted = (count: unknown, header: string | undefined): Sent =>
  call(1, "region", { count }, { headers: { "mcp-param-count": header } });
const dried = (dry: unknown, header: string | undefined): Sent =>
  call(1, "region", { dry }, { headers: { "mcp-param-dry": header } });
const listing = (more: Modern): Sent => modern(1, "tools/list", {}, more);

const standard: readonly (readonly [string, Sent, Gets])[] = [
  ["all headers", listing({}), FINE],
  ["no version header", listing({ headers: { "mcp-protocol-version": undefined } }), MISMATCH],
  ["another version in the header", listing({ headers: { "mcp-protocol-version": R4 } }), MISMATCH],
  ["an unknown version in the header", listing({ headers: { "mcp-protocol-version": "2999-01-01" } }), MISMATCH],
  ["the version header twice", listing({ headers: { "mcp-protocol-version": `${R5}, ${R5}` } }), MISMATCH],
  ["blanks around the version", listing({ headers: { "mcp-protocol-version": ` ${R5}\t` } }), FINE],
  ["no method header", listing({ headers: { "mcp-method": undefined } }), MISMATCH],
  ["an empty method header", listing({ headers: { "mcp-method": "" } }), MISMATCH],
  ["another method", listing({ headers: { "mcp-method": "tools/call" } }), MISMATCH],
  ["the method in another case", listing({ headers: { "mcp-method": "Tools/List" } }), MISMATCH],
  ["the method header twice", listing({ headers: { "mcp-method": "tools/list, tools/list" } }), MISMATCH],
  ["a name that is not required", listing({ headers: { "mcp-name": "whatever" } }), FINE],
  ["a session, which is ignored", listing({ headers: { "mcp-session-id": "x", "last-event-id": "y" } }), FINE],
  ["no name of a tool", call(1, "echo", { text: "x" }, { headers: { "mcp-name": undefined } }), MISMATCH],
  ["another name of a tool", call(1, "echo", { text: "x" }, { headers: { "mcp-name": "other" } }), MISMATCH],
  ["the name in another case", call(1, "echo", { text: "x" }, { headers: { "mcp-name": "Echo" } }), MISMATCH],
  ["the name in a sentinel", call(1, "echo", { text: "x" }, { headers: { "mcp-name": sentinel("echo") } }), FINE],
  [
    "another name in a sentinel",
    call(1, "echo", { text: "x" }, { headers: { "mcp-name": sentinel("other") } }),
    MISMATCH,
  ],
  ["a broken sentinel", call(1, "echo", { text: "x" }, { headers: { "mcp-name": "=?base64?ZWNobw?=" } }), MISMATCH],
  ["the name twice", call(1, "echo", { text: "x" }, { headers: { "mcp-name": "echo, echo" } }), MISMATCH],
  ["the name of a prompt", modern(1, "prompts/get", { name: "greet" }), FINE],
  ["another name of a prompt", modern(1, "prompts/get", { name: "greet" }, { headers: { "mcp-name": "x" } }), MISMATCH],
  ["the uri of a resource", modern(1, "resources/read", { uri: "test://note" }), FINE],
  [
    "no uri of a resource",
    modern(1, "resources/read", { uri: "test://note" }, { headers: { "mcp-name": undefined } }),
    MISMATCH,
  ],
  [
    "another uri",
    modern(1, "resources/read", { uri: "test://note" }, { headers: { "mcp-name": "test://not%65" } }),
    MISMATCH,
  ],
];

/** Values, and their encoded form. */
const vectors: readonly (readonly [zone: string, header: string])[] = [
  ["us-west1", "us-west1"],
  ["us west 1", "us west 1"],
  ["us-west1", "=?base64?dXMtd2VzdDE=?="],
  ["us-west1", "  us-west1\t"],
  ["Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="],
  [" padded ", "=?base64?IHBhZGRlZCA=?="],
  ["line1\nline2", "=?base64?bGluZTEKbGluZTI=?="],
  ["line1\r\nline2", "=?base64?bGluZTENCmxpbmUy?="],
  ["日本語", "=?base64?5pel5pys6Kqe?="],
  ["\tindented", "=?base64?CWluZGVudGVk?="],
  ["=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="],
  ["SGVsbG8=", "SGVsbG8="],
  ["=?base64?SGVsbG8=", "=?base64?SGVsbG8="],
  ["=?BASE64?SGVsbG8=?=", "=?BASE64?SGVsbG8=?="],
  ["", ""],
  ["", "=?base64??="],
];

const params: readonly (readonly [string, Sent, Gets])[] = [
  ...vectors.map(([zone, header]) => [`${JSON.stringify(zone)} as ${header}`, zoned(zone, header), FINE] as const),
  ["a sentinel without padding", zoned("Hello", "=?base64?SGVsbG8?="), MISMATCH],
  ["a sentinel with invalid characters", zoned("Hello", "=?base64?SGVs!!!bG8=?="), MISMATCH],
  ["a sentinel that is not UTF-8", zoned("Hello", "=?base64?/w==?="), MISMATCH],
  ["a sentinel of the URL alphabet", zoned("ÿÿ>", `=?base64?${Buffer.from("ÿÿ>").toString("base64url")}?=`), MISMATCH],
  ["characters outside ASCII", zoned("é", "é"), MISMATCH],
  ["another value", zoned("a", "b"), MISMATCH],
  ["the value in another case", zoned("a", "A"), MISMATCH],
  ["no header for a value", zoned("a", undefined), MISMATCH],
  ["an empty header for a value", zoned("a", ""), MISMATCH],
  ["the header twice", zoned("a", "a, a"), MISMATCH],
  ["no header and no value", call(1, "region", {}), FINE],
  ["no header and no arguments", call(1, "region"), FINE],
  ["a header and no value", zoned(undefined, "a"), MISMATCH],
  ["a header and null", zoned(null, "a"), MISMATCH],
  ["an empty header and no value", zoned(undefined, ""), MISMATCH],
  ["a header with characters outside ASCII and no value", zoned(undefined, "é"), MISMATCH],
  ["a header with an invalid sentinel and no value", zoned(undefined, "=?base64?!!?="), MISMATCH],
  ["a header that belongs to no parameter", call(1, "region", {}, { headers: { "mcp-param-other": "a" } }), FINE],
  ["a prototype key as header", call(1, "region", {}, { headers: { "mcp-param-__proto__": "a" } }), FINE],
  ["no header for null, which the tool rejects", zoned(null, undefined), FINE],
  ["no header for a value of another type, which the tool rejects", zoned(5, undefined), FINE],
  ["an integer", counted(42, "42"), FINE],
  ["a negative integer", counted(-7, "-7"), FINE],
  ["an integer with a zero fraction", counted(42, "42.0"), FINE],
  ["another integer", counted(42, "43"), MISMATCH],
  ["an integer with an exponent", counted(1e3, "1e3"), MISMATCH],
  ["an integer in hexadecimal", counted(16, "0x10"), MISMATCH],
  ["an empty header for 0", counted(0, ""), MISMATCH],
  ["the greatest safe integer", counted(Number.MAX_SAFE_INTEGER, "9007199254740991"), FINE],
  ["the next integer after the greatest safe one", counted(Number.MAX_SAFE_INTEGER, "9007199254740992"), MISMATCH],
  ["a boolean", dried(false, "false"), FINE],
  ["the other boolean", dried(true, "false"), MISMATCH],
  ["a boolean in another case", dried(true, "True"), MISMATCH],
  ["a boolean as a number", dried(true, "1"), MISMATCH],
];

/** Each row is wrong in this check and in all later ones: the first decides. */
const order: readonly (readonly [string, Sent, Gets])[] = (() => {
  const wrongAll = { "mcp-protocol-version": undefined, "mcp-method": undefined, "mcp-name": undefined };
  const named = { ...wrongAll, "mcp-protocol-version": R5 };
  const methodical = { ...named, "mcp-method": "tools/call" };
  const args = { name: "region", arguments: { where: { zone: "a" } }, inputResponses: 5 };
  const nothing = modern(1, "tools/unknown", {}, { headers: { ...named, "mcp-method": "tools/unknown" } });
  const state = { requestState: "forged" };
  const asks = (tool: string, more: object, headers: object, capabilities: object = {}): Sent =>
    modern(
      1,
      "tools/call",
      { name: tool, ...more },
      { capabilities, headers: { "mcp-param-zone": undefined, ...headers } },
    );
  return [
    ["(a) the metadata", modern(1, "tools/unknown", {}, { headers: wrongAll, meta: { [VERSION]: 1 } }), [400, -32602]],
    [
      "(b) the version header",
      modern(1, "tools/unknown", {}, { headers: wrongAll, meta: { [VERSION]: "2999-01-01" } }),
      MISMATCH,
    ],
    [
      "(c) the version",
      modern(
        1,
        "tools/unknown",
        {},
        { headers: { ...named, "mcp-protocol-version": "2999-01-01" }, meta: { [VERSION]: "2999-01-01" } },
      ),
      [400, -32022],
    ],
    ["(d) the method header", modern(1, "tools/unknown", {}, { headers: named }), MISMATCH],
    ["(e) the method", nothing, [404, -32601]],
    ["(e) a feature that is not declared", modern(1, "completion/complete", {}), [404, -32601]],
    ["(f) the name", asks("region", args, methodical), MISMATCH],
    ["(g) the params", asks("region", args, {}), [200, -32602]],
    ["(g) an unknown tool", asks("nothing", { arguments: { where: { zone: "a" } } }, {}), [200, -32602]],
    [
      "(h) the parameters in headers",
      asks("region", { arguments: { where: { zone: "a" }, count: "x" } }, {}),
      MISMATCH,
    ],
    ["(i) the client's capabilities", asks("ask-before", {}, {}), [400, -32021]],
    ["(j) requestState", asks("ask-before", state, {}, { elicitation: {} }), [200, -32602]],
  ];
})();

describe.each(hosts)("$name", ({ name, open: host }) => {
  describe.each([
    ["standard headers", standard],
    ["parameters", params],
    ["the first failed check decides", order],
  ] as const)("%s", (_, rows) => {
    test.each(rows)("%s", async (_, sent, gets) => {
      const subject = new Subject();
      const at = await host(subject.server);
      const { headers = {} } = sent;
      // Web-standard requests cannot contain these.
      if (name === "fetch" && Object.values(headers).some((value) => /[^\0-\xff]/.test(value ?? ""))) return;
      const answer = await at.send(sent);
      const message = (await answer.json()) as Message;
      expect({ got: [answer.status, message.error?.code], message }).toMatchObject({ got: gets, message: { id: 1 } });
      if (gets === MISMATCH) expect(subject.entered).toEqual([]);
    });
  });

  test("names the wrong header", async () => {
    const at = await host(new Subject().server);
    const told = async (sent: Sent) => ((await (await at.send(sent)).json()) as Message).error?.message;
    expect(await told(zoned("a", undefined))).toBe("Header mismatch: mcp-param-zone is missing");
    expect(await told(zoned("a", "b"))).toBe('Header mismatch: mcp-param-zone is "b", but the body has "a"');
    expect(await told(zoned(undefined, "b"))).toBe(
      'Header mismatch: mcp-param-zone is "b", but the body has no such string',
    );
    expect(await told(listing({ headers: { "mcp-method": "x" } }))).toBe(
      'Header mismatch: mcp-method is "x", but the body has "tools/list"',
    );
  });

  test("does not check headers in the handshake era", async () => {
    const at = await host(new Subject().server);
    const session = await open(at, R4);
    const sent = session.sent(request(1, "tools/call", { name: "region", arguments: { where: { zone: "a" } } }));
    const answer = await at.send({
      ...sent,
      headers: { ...sent.headers, "mcp-method": "x", "mcp-name": "y", "mcp-param-zone": "z" },
    });
    expect(await answer.json()).toMatchObject({ id: 1, result: { content: [{}] } });
  });

  test("lists tools with their annotations", async () => {
    const at = await host(new Subject().server);
    const { result } = (await (await at.send(listing({}))).json()) as Message;
    expect(JSON.stringify(result)).toContain('"x-mcp-header":"Zone"');
  });

  test("does not require headers for notifications", async () => {
    const at = await host(new Subject().server);
    expect(
      (await at.send(plain({ jsonrpc: "2.0", method: "notifications/x" }, { headers: { "mcp-protocol-version": R5 } })))
        .status,
    ).toBe(202);
  });
});
