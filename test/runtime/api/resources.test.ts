import { describe, expect, expectTypeOf, test } from "vitest";
import { ResourceNotFoundError } from "../../../runtime/src/index.js";
import {
  type CacheHint,
  McpServer,
  type ResourceResult,
  ResourceTemplate,
  UriTemplate,
} from "../../../runtime/src/server.js";
import { connect, errorOf, eras, info, methods, revisions, settled, thrown } from "./pair.js";

/** The read resource as text. */
function contents(uri: URL, words = uri.href): ResourceResult {
  return { contents: [{ uri: uri.href, text: words }] };
}

function serve() {
  const server = new McpServer(info);
  const fixed = { title: "Notes", description: "All notes", mimeType: "text/plain", size: 12 };
  const display = {
    annotations: { audience: ["user" as const], priority: 0.5 },
    icons: [{ src: "https://x.test/i.png" }],
  };
  server.registerResource("notes", "file:///notes.txt", { ...fixed, ...display, _meta: { k: 1 } }, (uri) =>
    contents(uri),
  );
  server.registerResource("picture", "test:picture", { mimeType: "image/png" }, ({ href }) => ({
    contents: [{ uri: href, mimeType: "image/png", blob: "aGVsbG8=" }],
  }));
  server.registerResource(
    "weather",
    new ResourceTemplate("weather://{city}/{+day}{?unit,lang}", {
      list: () => ({ resources: [{ uri: "weather://Rome/today", name: "Rome today" }] }),
      complete: { city: (value) => ["Rome", "Riga"].filter((city) => city.startsWith(value)) },
    }),
    { title: "Weather", mimeType: "application/json", size: 3 },
    (uri, variables) => {
      if (variables["city"] === "Atlantis") throw new ResourceNotFoundError(uri.href);
      return contents(uri, JSON.stringify(variables));
    },
  );
  return server;
}

test("finds a resource with any spelling of its URI, and lists the registered one", async () => {
  const server = new McpServer(info);
  const spellings = [
    ["file:///x/ü y.txt", "file:///x/%C3%BC%20y.txt"],
    ["https://Example.com", "https://example.com/"],
    ["NOTE://a", "note://a"],
  ] as const;
  for (const [uri] of spellings) server.registerResource(uri, uri, {}, (url) => contents(url));
  const { client } = await connect(server, "2025-11-25");
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(spellings.map(([uri]) => uri));
  for (const [uri, other] of spellings)
    for (const one of [uri, other])
      expect((await client.readResource({ uri: one })).contents).toEqual([{ uri: other, text: other }]);
  expect(thrown(() => server.registerResource("again", "note://a", {}, (url) => contents(url)))).toMatchObject({
    code: "INVALID_CONFIGURATION",
  });
});

test("a path through another, allowed place does not find a resource", async () => {
  const server = new McpServer(info);
  server.registerResource("secret", "file:///secret", {}, (url) => contents(url));
  const { client } = await connect(server, "2025-11-25");
  for (const uri of [
    "file:///open/../secret",
    "file:///open/%2e%2e/secret",
    "file:///open/..\\secret",
    " FILE:/secret",
  ])
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
});

test("an update can respell and move a resource", async () => {
  const server = new McpServer(info);
  const resource = server.registerResource("site", "https://Example.com", {}, (uri) => contents(uri));
  const { client } = await connect(server, "2025-11-25");
  const listed = async () => (await client.listResources()).resources.map(({ uri }) => uri);
  resource.update({ uri: "https://example.com/" });
  expect(await listed()).toEqual(["https://example.com/"]);
  resource.update({ uri: "https://example.org" });
  expect(await listed()).toEqual(["https://example.org"]);
  await expect(client.readResource({ uri: "https://example.com/" })).rejects.toMatchObject({ code: -32602 });
  resource.remove();
  expect(await listed()).toEqual([]);
});

describe.each(revisions)("%s", (revision) => {
  test("lists resources and templates with all their metadata", async () => {
    const { client } = await connect(serve(), revision);
    expect((await client.listResources()).resources).toEqual([
      {
        uri: "file:///notes.txt",
        name: "notes",
        title: "Notes",
        description: "All notes",
        mimeType: "text/plain",
        size: 12,
        annotations: { audience: ["user"], priority: 0.5 },
        icons: [{ src: "https://x.test/i.png" }],
        _meta: { k: 1 },
      },
      { uri: "test:picture", name: "picture", mimeType: "image/png" },
      { uri: "weather://Rome/today", name: "Rome today" },
    ]);
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([
      {
        uriTemplate: "weather://{city}/{+day}{?unit,lang}",
        name: "weather",
        title: "Weather",
        mimeType: "application/json",
      },
    ]);
  });

  test("reads text, bytes and members of a template", async () => {
    const { client } = await connect(serve(), revision);
    const read = async (uri: string) => (await client.readResource({ uri })).contents;
    expect(await read("file:///notes.txt")).toEqual([{ uri: "file:///notes.txt", text: "file:///notes.txt" }]);
    expect(await read("test:picture")).toEqual([{ uri: "test:picture", mimeType: "image/png", blob: "aGVsbG8=" }]);
    expect(await read("weather://Rome/2026/05/01?unit=C")).toMatchObject([
      { text: '{"city":"Rome","day":"2026/05/01","unit":"C"}' },
    ]);
    expect(await read("weather://S%C3%A3o%20Paulo/now")).toMatchObject([{ text: '{"city":"São Paulo","day":"now"}' }]);
  });

  test.each([
    ["unknown", "file:///nothing.txt"],
    ["of a template that rejects it", "weather://Atlantis/today"],
    ["not a URI", "nothing"],
  ])("a resource that does not exist: %s", async (_name, uri) => {
    const { client } = await connect(serve(), revision);
    expect(await errorOf(client.readResource({ uri }))).toMatchObject({ code: -32602, data: { uri } });
  });

  test("other errors are not sent to the client", async () => {
    const problems: string[] = [];
    const server = new McpServer(info, { onerror: ({ message }) => problems.push(message) });
    let answer: unknown;
    server.registerResource("r", "test:r", {}, () => {
      if (answer instanceof Error) throw answer;
      return answer as never;
    });
    const { client } = await connect(server, revision);
    for (answer of [new Error("secret"), undefined, null, {}, { contents: "text" }, "text"]) {
      const error = await errorOf(client.readResource({ uri: "test:r" }));
      expect(error, JSON.stringify(answer)).toMatchObject({ code: -32603, message: "Internal error" });
    }
    expect(problems).toHaveLength(6);
    expect(problems[0]).toBe("secret");
  });

  test("the list of a template may change and fail", async () => {
    const server = new McpServer(info, { onerror: () => undefined });
    let count = 0;
    const list = () => {
      if (++count > 2) throw new Error("no database");
      return { resources: [{ uri: `test:${count}`, name: String(count) }] };
    };
    server.registerResource("t", new ResourceTemplate("test:{x}", { list }), {}, (uri) => contents(uri));
    const { client } = await connect(server, revision);
    expect((await client.listResources()).resources).toEqual([{ uri: "test:1", name: "1" }]);
    expect((await client.listResources()).resources).toEqual([{ uri: "test:2", name: "2" }]);
    expect(await errorOf(client.listResources())).toMatchObject({ code: -32603 });
  });

  test.each([{}, { resources: null }, { resources: {} }])("does not send the list %j of a template", async (no) => {
    const problems: string[] = [];
    const server = new McpServer(info, { onerror: ({ message }) => problems.push(message) });
    server.registerResource("t", new ResourceTemplate("test:{x}", { list: () => no as never }), {}, (uri) =>
      contents(uri),
    );
    const { client } = await connect(server, revision);
    expect(await errorOf(client.listResources())).toMatchObject({ code: -32603 });
    expect(problems).toEqual(["the list callback of test:{x} must return an array of resources"]);
  });

  test("sends cache hints only in revisions that have them", async () => {
    const server = new McpServer(info);
    const cacheHint = { ttlMs: 1_000, cacheScope: "public" } as const;
    server.registerResource("kept", "test:kept", { cacheHint }, (uri) => contents(uri));
    server.registerResource("own", "test:own", { cacheHint }, (uri) => ({ ...contents(uri), ttlMs: 7 }));
    server.registerResource("none", "test:none", {}, (uri) => contents(uri));
    const { client, wire } = await connect(server, revision);
    const stateless = revision === "2026-07-28";
    const read = async (uri: string) => {
      const { ttlMs, cacheScope, resultType } = await client.readResource({ uri });
      return [ttlMs, cacheScope, resultType];
    };
    expect(await read("test:kept")).toEqual(stateless ? [1_000, "public", "complete"] : [0, "private", "complete"]);
    expect(await read("test:none")).toEqual([0, "private", "complete"]);
    expect(wire.some(({ result }) => result?.["ttlMs"] !== undefined)).toBe(stateless);
    if (stateless) expect(await read("test:own")).toEqual([7, "public", "complete"]);
  });
});

describe("when several resources match", () => {
  test("a fixed resource precedes templates, and templates follow the order of registration", async () => {
    const server = new McpServer(info);
    const first = server.registerResource("a", new ResourceTemplate("test:{x}"), {}, (uri) => contents(uri, "first"));
    server.registerResource("b", new ResourceTemplate("test:{y}"), {}, (uri) => contents(uri, "second"));
    server.registerResource("c", "test:1", {}, (uri) => contents(uri, "fixed"));
    const { client } = await connect(server, "2025-11-25");
    const read = async (uri: string) => (await client.readResource({ uri })).contents;
    expect(await read("test:1")).toMatchObject([{ text: "fixed" }]);
    expect(await read("test:2")).toMatchObject([{ text: "first" }]);
    first.update({ title: "First", name: "z" });
    expect(await read("test:2")).toMatchObject([{ text: "first" }]);
    first.disable();
    expect(await read("test:2")).toMatchObject([{ text: "second" }]);
  });
});

describe("rejects invalid resources at registration", () => {
  test.each(["notes.txt", "/notes.txt", "1abc:x", "my_scheme:x", "", "http://[", ":x", "test:x/{id}"])(
    "the URI %j",
    (uri) => {
      const error = thrown(() => new McpServer(info).registerResource("r", uri, {}, (url) => contents(url)));
      expect(error).toMatchObject({ code: "INVALID_CONFIGURATION" });
      expect(error.message).toContain(uri);
    },
  );

  test("a URI or a template name that is already registered", () => {
    const server = serve();
    expect(thrown(() => server.registerResource("x", "test:picture", {}, (uri) => contents(uri)))).toMatchObject({
      code: "INVALID_CONFIGURATION",
    });
    const template = new ResourceTemplate("test:{x}");
    expect(thrown(() => server.registerResource("weather", template, {}, (uri) => contents(uri)))).toMatchObject({
      code: "INVALID_CONFIGURATION",
    });
  });

  const templates = ["1ab://{x}", "a_b://{x}", "my app://{x}", "://{x}", "/notes/{x}", "notes"];
  test.each(templates)("the template %j", (template) => {
    const server = new McpServer(info);
    const error = thrown(() =>
      server.registerResource("r", new ResourceTemplate(template), {}, (url) => contents(url)),
    );
    expect(error).toMatchObject({ code: "INVALID_CONFIGURATION" });
    expect(error.message).toContain(template);
  });

  test.each(["{+uri}", "x-{kind}:{id}", "A+1.-:{id}"])("accepts the template %j", (template) => {
    new McpServer(info).registerResource("r", new ResourceTemplate(template), {}, (url) => contents(url));
  });

  test.each<[string, object]>([
    ["a negative time", { ttlMs: -1, cacheScope: "public" }],
    ["a time without end", { ttlMs: Infinity, cacheScope: "public" }],
    ["no time", { ttlMs: NaN, cacheScope: "public" }],
    ["no scope", { ttlMs: 1 }],
    ["an unknown scope", { ttlMs: 1, cacheScope: "shared" }],
  ])("a cache hint of %s", (_, hint) => {
    const cacheHint = hint as CacheHint;
    const server = new McpServer(info);
    const template = new ResourceTemplate("test:{x}");
    const known = server.registerResource("k", "test:k", {}, (uri) => contents(uri));
    for (const action of [
      () => new McpServer(info, { cacheHints: { "tools/list": cacheHint } }),
      () => server.registerResource("r", "test:r", { cacheHint }, (uri) => contents(uri)),
      () => server.registerResource("t", template, { cacheHint }, (uri) => contents(uri)),
      () => known.update({ cacheHint }),
    ])
      expect(thrown(action)).toMatchObject({ code: "INVALID_CONFIGURATION" });
  });

  test("an invalid template", () => {
    expect(thrown(() => new ResourceTemplate("test:{x"))).toMatchObject({ code: "INVALID_CONFIGURATION" });
    expect(new ResourceTemplate(new UriTemplate("test:{x}")).uriTemplate.variableNames).toEqual(["x"]);
  });
});

describe.each(eras)("%s: subscriptions", (revision) => {
  async function watching(capabilities = {}) {
    const server = new McpServer(info, { capabilities });
    server.registerResource("folder", "test:folder", {}, (uri) => contents(uri));
    const pair = await connect(server, revision);
    const heard: string[] = [];
    const listener = (uri: string) => heard.push(uri);
    const told = async (...uris: string[]) => {
      heard.length = 0;
      for (const uri of uris) server.sendResourceUpdated({ uri });
      await settled();
      return [...heard];
    };
    return { ...pair, server, listener, told };
  }

  test("reports updates of a resource and of those below it, and no others", async () => {
    const { client, listener, told } = await watching();
    expect(await told("test:folder")).toEqual([]);
    expect(await client.subscribeResource({ uri: "test:folder" }, listener)).toBe(true);
    expect(await told("test:folder")).toEqual(["test:folder"]);
    expect(await told("test:folder/a", "test:folder2", "test:fold", "test:")).toEqual(["test:folder/a"]);
    await client.unsubscribeResource({ uri: "test:folder" });
    expect(await told("test:folder", "test:folder/a")).toEqual([]);
  });

  test("reports several updates in one tick once each", async () => {
    const { client, listener, told, wire } = await watching();
    await client.subscribeResource({ uri: "test:folder" }, listener);
    expect(await told("test:folder", "test:folder/a", "test:folder")).toEqual(["test:folder", "test:folder/a"]);
    expect(methods(wire, "in").filter((method) => method === "notifications/resources/updated")).toHaveLength(2);
  });

  test("reports to each client only its own subscriptions", async () => {
    const { client, listener, told, server } = await watching();
    const other = await connect(server, revision);
    const others: string[] = [];
    await client.subscribeResource({ uri: "test:folder" }, listener);
    await other.client.subscribeResource({ uri: "test:other" }, (uri) => others.push(uri));
    expect(await told("test:folder", "test:other")).toEqual(["test:folder"]);
    expect(others).toEqual(["test:other"]);
  });

  test("concurrent subscriptions all hold, and are reported once each", async () => {
    const { client, listener, told } = await watching();
    const granted = await Promise.all(
      ["test:a", "test:b", "test:c"].map((uri) => client.subscribeResource({ uri }, listener)),
    );
    expect(granted).toEqual([true, true, true]);
    await settled();
    expect(await told("test:a", "test:b", "test:c")).toEqual(["test:a", "test:b", "test:c"]);
  });

  test("a second listener is called as well; a throwing one does not affect it", async () => {
    const { client, listener, told, problems } = await watching();
    await client.subscribeResource({ uri: "test:folder" }, () => {
      throw new Error("a listener's own");
    });
    await client.subscribeResource({ uri: "test:folder" }, listener);
    expect(await told("test:folder")).toEqual(["test:folder"]);
    expect(problems.map(({ message }) => message)).toEqual(["a listener's own"]);
  });

  test("a server without subscriptions grants none", async () => {
    const { client, listener, told } = await watching({ resources: {} });
    const wanted = client.subscribeResource({ uri: "test:folder" }, listener);
    if (revision === "2026-07-28") expect(await wanted).toBe(false);
    else expect(await errorOf(wanted)).toMatchObject({ code: "CAPABILITY_NOT_SUPPORTED" });
    expect(await told("test:folder")).toEqual([]);
  });
});

test("callbacks have types", () => {
  const server = new McpServer(info);
  server.registerResource("fixed", "test:fixed", {}, (uri, context) => {
    expectTypeOf(uri).toEqualTypeOf<URL>();
    expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
    return { contents: [] };
  });
  server.registerResource("template", new ResourceTemplate("test:{x}"), {}, (uri, variables, context) => {
    expectTypeOf(uri).toEqualTypeOf<URL>();
    expectTypeOf(variables["x"]).not.toBeAny();
    expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
    return { contents: [] };
  });
});
