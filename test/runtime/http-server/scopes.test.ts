/** The scopes of tools, resources, templates and prompts: which requests need them, in all eras and forms. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { serveHttp } from "../../../runtime/src/node.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { McpServer, ResourceTemplate } from "../../../runtime/src/server.js";
import { FakeAuthorization, sender, withTokens } from "./fake-authorization.js";
import { hosts } from "./hosts.js";
import {
  initialize,
  type Message,
  modern,
  notification,
  open,
  plain,
  R1,
  R2,
  R4,
  RawSession,
  request,
} from "./messages.js";
import { text } from "./subject.js";

const contents = (uri: URL) => ({ contents: [{ uri: uri.href, text: "text" }] });

function createServer() {
  const reports: Error[] = [];
  const called: string[] = [];
  const server = new McpServer(
    { name: "scoped", version: "1" },
    { onerror: (error) => reports.push(error), capabilities: { logging: {}, resources: { subscribe: true } } },
  );
  const run = (name: string) => () => {
    called.push(name);
    return text(name);
  };
  const items = {
    open: server.registerTool("open", {}, run("open")),
    write: server.registerTool("write", { scopes: ["files:write"] }, run("write")),
    both: server.registerTool("both", { scopes: ["files:read", "files:write"] }, run("both")),
    prompt: server.registerPrompt(
      "review",
      { scopes: ["prompts"], argsSchema: z.object({ code: z.string() }), complete: { code: () => ["a"] } },
      () => ({ messages: [] }),
    ),
    note: server.registerResource("note", "note://house/secret", { scopes: ["notes"] }, contents),
    page: server.registerResource("page", "note://house/page", {}, contents),
    row: server.registerResource(
      "row",
      new ResourceTemplate("db://table/{id}", { list: undefined, complete: { id: () => ["1"] } }),
      { scopes: ["db"] },
      contents,
    ),
  };
  return { server, items, reports, called };
}

type Row = readonly [method: string, params: object, scopes: string];

/** Requests, and the scopes that they need. */
const rows: readonly Row[] = [
  ["tools/call", { name: "open" }, ""],
  ["tools/call", { name: "write" }, "files:write"],
  ["tools/call", { name: "both" }, "files:read files:write"],
  ["tools/call", { name: "none" }, ""],
  ["tools/call", { name: ["write"] }, ""],
  ["tools/call", {}, ""],
  ["tools/list", {}, ""],
  ["prompts/get", { name: "review", arguments: { code: "a" } }, "prompts"],
  ["prompts/get", { name: "none" }, ""],
  ["resources/read", { uri: "note://house/secret" }, "notes"],
  ["resources/read", { uri: "note://house/page" }, ""],
  ["resources/read", { uri: "note://house/none" }, ""],
  ["resources/read", { uri: "db://table/7" }, "db"],
  ["resources/read", { uri: 7 }, ""],
  [
    "completion/complete",
    { ref: { type: "ref/prompt", name: "review" }, argument: { name: "code", value: "" } },
    "prompts",
  ],
  [
    "completion/complete",
    { ref: { type: "ref/resource", uri: "db://table/{id}" }, argument: { name: "id", value: "" } },
    "db",
  ],
  [
    "completion/complete",
    { ref: { type: "ref/resource", uri: "note://house/secret" }, argument: { name: "a", value: "" } },
    "notes",
  ],
  ["completion/complete", { ref: "review" }, ""],
];

/** URIs to subscribe to. A subscription covers what is below its URI, and equivalent spellings. */
const watched: readonly (readonly [uri: unknown, scopes: string])[] = [
  ["note://house/secret", "notes"],
  ["NOTE://house/./secret", "notes"],
  ["note://house/x/../secret", "notes"],
  ["note://house", "notes"],
  ["note://house/", "notes"],
  ["note://house/page", ""],
  ["note://house/sec", ""],
  ["note://other", ""],
  ["db://table/7", "db"],
  ["db://table/7/8", "db"],
  ["db://table", "db"],
  ["db://other", ""],
  [7, ""],
];

const handshakeRows: readonly Row[] = [
  ...rows,
  ...watched.map(([uri, scopes]): Row => ["resources/subscribe", { uri }, scopes]),
  ["resources/unsubscribe", { uri: "note://house/secret" }, "notes"],
];
const statelessRows: readonly Row[] = [
  ...rows,
  ...watched.map(([uri, scopes]): Row => [
    "subscriptions/listen",
    { notifications: { resourceSubscriptions: [uri] } },
    scopes,
  ]),
  [
    "subscriptions/listen",
    { notifications: { resourceSubscriptions: ["db://table/1", "note://house", "note://house"] } },
    "db notes",
  ],
  ["subscriptions/listen", { notifications: { toolsListChanged: true } }, ""],
  ["subscriptions/listen", {}, ""],
];

describe.each(hosts)("$name", ({ open: host }) => {
  async function start() {
    const authorization = new FakeAuthorization();
    const scoped = createServer();
    return { ...scoped, authorization, at: withTokens(await host(scoped.server, { authorization })) };
  }

  test("2026-07-28: finds the scopes of each request", async () => {
    const { at, authorization, called } = await start();
    for (const [method, params, scopes] of statelessRows) {
      authorization.asked.length = 0;
      const answer = await at.send(modern(1, method, params, { principal: sender("ada") }));
      expect([method, params, ...authorization.asked]).toEqual([method, params, [method, scopes]]);
      expect(answer.status === 403).toBe(scopes !== "");
      if (answer.type === "text/event-stream") answer.cut();
    }
    expect(called).toEqual(["open"]);
  });

  test("2025-11-25: finds the scopes of each request", async () => {
    const { at, authorization } = await start();
    const session = await open(at, R4, { principal: sender("ada") });
    for (const [method, params, scopes] of handshakeRows) {
      authorization.asked.length = 0;
      const answer = await session.post(request(1, method, params));
      await answer.text();
      expect([method, params, ...authorization.asked]).toEqual([method, params, [method, scopes]]);
      expect(answer.status === 403).toBe(scopes !== "");
    }
  });

  test("2025-03-26: a batch needs the scopes of all its requests, and runs none of them without", async () => {
    const { at, authorization, called } = await start();
    const batch = [
      request(1, "tools/call", { name: "open" }),
      notification("notifications/cancelled", { requestId: 9 }),
      request(2, "tools/call", { name: "write" }),
      request(3, "prompts/get", { name: "review", arguments: { code: "a" } }),
    ];
    const session = await open(at, R2, { principal: sender("ada", "files:write") });
    const refused = await session.post(batch);
    expect([refused.status, called]).toEqual([403, []]);
    expect(authorization.asked.at(-1)).toEqual(["tools/call tools/call prompts/get", "files:write prompts"]);
    const served = await as(session, sender("ada", "files:write prompts")).post(batch);
    expect([served.status, called]).toEqual([200, ["open", "write"]]);
  });

  test("a read needs the scopes of the resource or template that serves it, in each order of registration", async () => {
    for (const kinds of [
      ["resource", "narrow", "wide"],
      ["wide", "narrow", "resource"],
    ]) {
      const server = new McpServer({ name: "overlapping", version: "1" });
      const where = { narrow: "file://a/{name}", wide: "file://{+path}" };
      for (const kind of kinds) {
        const read = (uri: URL) => ({ contents: [{ uri: uri.href, text: kind }] });
        const uri = kind === "resource" ? "file://a/b" : undefined;
        if (uri !== undefined) server.registerResource(kind, uri, { scopes: [kind] }, read);
        else {
          const template = new ResourceTemplate(where[kind as keyof typeof where], { list: undefined });
          server.registerResource(kind, template, { scopes: [kind] }, read);
        }
      }
      const authorization = new FakeAuthorization();
      const at = withTokens(await host(server, { authorization }));
      const principal = sender("ada", "resource narrow wide");
      for (const uri of ["file://a/b", "file://a/c", "file://c/d/e"]) {
        const answer = await at.send(modern(1, "resources/read", { uri }, { principal }));
        const { result } = (await answer.json()) as {
          readonly result: { readonly contents: [{ readonly text: string }] };
        };
        expect([uri, authorization.asked.at(-1)?.[1]]).toEqual([uri, result.contents[0].text]);
      }
    }
  });

  test("2024-11-05: a post of HTTP+SSE needs the scopes of its request", async () => {
    const { at, called } = await start();
    const principal = sender("ada");
    const stream = await at.send({ method: "GET", headers: { accept: "text/event-stream" }, principal });
    const { data: path = "" } = await stream.block();
    const post = async (body: unknown, scopes = "") =>
      (await at.send({ ...plain(body), path, principal: sender("ada", scopes) })).status;
    expect(await post(initialize(R1))).toBe(202);
    await stream.message();
    expect(await post(request(1, "tools/call", { name: "write" }))).toBe(403);
    expect([await post(request(2, "tools/call", { name: "write" }), "files:write"), called]).toEqual([202, ["write"]]);
    expect(await stream.message()).toMatchObject({ id: 2 });
  });

  test("a session lives on when a token with fewer scopes is refused", async () => {
    const { at, called } = await start();
    const session = await open(at, R4, { principal: sender("ada", "files:write") });
    expect((await session.call(1, "write")).status).toBe(200);
    const fewer = as(session, sender("ada", "files:read"));
    const refused = await fewer.call(2, "write");
    const { id, error } = (await refused.json()) as Message;
    expect([
      refused.status,
      refused.header("www-authenticate"),
      refused.header("dpop-nonce"),
      id,
      error?.message,
    ]).toEqual([403, 'Bearer error="insufficient_scope", scope="files:write"', "next", 2, "insufficient scope"]);
    expect((await fewer.call(3, "open")).status).toBe(200);
    expect([(await session.call(2, "write")).status, called]).toEqual([200, ["write", "open", "write"]]);
  });

  test("follows updates, and ignores what is disabled or removed", async () => {
    const { at, authorization, items } = await start();
    const ask = async (method: string, params: object) => {
      await (await at.send(modern(1, method, params, { principal: sender("ada") }))).text();
      return authorization.asked.at(-1)?.[1];
    };
    items.open.update({ scopes: ["new"] });
    items.write.update({ name: "renamed" });
    items.both.update({ scopes: [] });
    items.note.update({ uri: "note://moved/here" });
    items.prompt.disable();
    items.row.remove();
    expect([
      await ask("tools/call", { name: "open" }),
      await ask("tools/call", { name: "renamed" }),
      await ask("tools/call", { name: "write" }),
      await ask("tools/call", { name: "both" }),
      await ask("resources/read", { uri: "note://moved/here" }),
      await ask("resources/read", { uri: "note://house/secret" }),
      await ask("prompts/get", { name: "review" }),
      await ask("resources/read", { uri: "db://table/7" }),
    ]).toEqual(["new", "files:write", "", "", "notes", "", "", ""]);
  });

  describe("without the option authorization", () => {
    async function startOpen() {
      const reports: Error[] = [];
      const called: string[] = [];
      const server = new McpServer({ name: "open", version: "1" }, { onerror: (error) => reports.push(error) });
      const open = server.registerTool("open", { scopes: [] }, () => {
        called.push("open");
        return text("open");
      });
      return { server, open, reports, called, at: await host(server) };
    }
    const callOpen = modern(1, "tools/call", { name: "open" });

    test("serves items without scopes", async () => {
      const { at, reports } = await startOpen();
      expect([(await at.send(callOpen)).status, reports]).toEqual([200, []]);
    });

    test.each(kinds)("serves nothing once %s has scopes", async (_kind, register) => {
      const { server, at, reports, called } = await startOpen();
      register(server, ["files:read"]);
      const answers = [
        await at.send(callOpen),
        await at.send({ ...callOpen, principal: sender("ada", "files:read") }),
        await at.send(plain(initialize(R4))),
        await at.send(plain([request(1, "tools/call", { name: "open" })])),
        await at.send(plain(notification("notifications/initialized"))),
        await at.send({ method: "GET", headers: { accept: "text/event-stream" } }),
        await at.send({ method: "DELETE", headers: { "mcp-session-id": "x" } }),
      ];
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 500));
      for (const answer of answers) expect(await answer.text()).toContain('{"code":-32603,"message":"Internal error"}');
      expect(called).toEqual([]);
      expect(reports).toMatchObject([{ code: "INVALID_CONFIGURATION", message: missingAuthorization }]);
    });

    test("serves nothing once an item is updated to have scopes, also within a session", async () => {
      const { open: item, at, called } = await startOpen();
      const session = await open(at, R4);
      expect((await session.call(1, "open")).status).toBe(200);
      item.update({ scopes: ["files:read"] });
      expect([(await session.call(2, "open")).status, (await session.get()).status, called]).toEqual([
        500,
        500,
        ["open"],
      ]);
    });
  });

  describe("scopes that are not valid", () => {
    test.each(kinds)("%s that is registered later is not served", async (kind, register, method, params) => {
      const { at, server, called, reports, authorization } = await start();
      register(server, ["files:read files:write"]);
      const principal = sender("ada", "files:read files:write");
      const send = async (...sent: readonly [method: string, params: object]) =>
        (await at.send(modern(1, ...sent, { principal }))).status;
      authorization.asked.length = 0;
      expect(await send(method, params)).toBe(500);
      expect([authorization.asked, called]).toEqual([[], []]);
      expect(reports).toMatchObject([
        { code: "INVALID_CONFIGURATION", message: expect.stringMatching(`^scopes of ${kind} "`) as string },
      ]);
      expect([await send("tools/call", { name: "open" }), called]).toEqual([200, ["open"]]);
    });
  });
});

const missingAuthorization = "tools, resources or prompts have scopes: set the option authorization";

type Register = (server: McpServer, scopes: readonly string[]) => void;

/** Registers an item of each kind; a request for it. */
const kinds: readonly (readonly [kind: string, register: Register, method: string, params: object])[] = [
  [
    "tool",
    (server, scopes) => void server.registerTool("new", { scopes }, () => text("new")),
    "tools/call",
    { name: "new" },
  ],
  [
    "prompt",
    (server, scopes) => void server.registerPrompt("new", { scopes }, () => ({ messages: [] })),
    "prompts/get",
    { name: "new" },
  ],
  [
    "resource",
    (server, scopes) => void server.registerResource("new", "test://new", { scopes }, contents),
    "resources/read",
    { uri: "test://new" },
  ],
  [
    "resource template",
    (server, scopes) =>
      void server.registerResource("new", new ResourceTemplate("x://{y}", { list: undefined }), { scopes }, contents),
    "resources/read",
    { uri: "x://z" },
  ],
];

/** The same session, with another token. */
function as(session: RawSession, principal: RawSession["principal"]): RawSession {
  return new RawSession(session.host, session.id, session.version, principal);
}

describe("start", () => {
  test.each(kinds)("is refused without authorization when %s has scopes", async (_kind, register) => {
    const server = new McpServer({ name: "scoped", version: "1" });
    register(server, ["files:read"]);
    const problem = { code: "INVALID_CONFIGURATION", message: missingAuthorization };
    expect(() => createMcpHandler(server)).toThrow(expect.objectContaining(problem));
    expect(() => createMcpHandler(server.server)).toThrow(expect.objectContaining(problem));
    await expect(serveHttp(server)).rejects.toMatchObject(problem);
  });

  describe.each(kinds)("is refused when the scopes of %s are", (kind, register) => {
    test.each<[string, unknown]>([
      ["text", "files:read"],
      ["a token with a space", ["files:read files:write"]],
      ["an empty token", [""]],
      ["a quote", ['"']],
      ["a number", [7]],
      ["null", null],
      ["a nested array", [["files:read"]]],
      ["a set", new Set(["files:read"])],
      ["offline_access", ["offline_access"]],
    ])("%s", async (_name, wrong) => {
      const server = new McpServer({ name: "scoped", version: "1" });
      register(server, wrong as string[]);
      const authorization = new FakeAuthorization();
      const problem = {
        code: "INVALID_CONFIGURATION",
        message: expect.stringMatching(`^scopes of ${kind} "(new|test://new)" must `) as string,
      };
      expect(() => createMcpHandler(server, { authorization })).toThrow(expect.objectContaining(problem));
      await expect(serveHttp(server, { authorization })).rejects.toMatchObject(problem);
    });
  });

  test("without authorization is refused for scopes of any type", () => {
    for (const wrong of ["files:read", [""], 7, new Set(["files:read"])]) {
      const server = new McpServer({ name: "scoped", version: "1" });
      server.registerTool("new", { scopes: wrong as string[] }, () => text("new"));
      expect(() => createMcpHandler(server)).toThrow(missingAuthorization);
    }
  });
});
