/** The functions of a handler's context work when they are taken from it, and errors of tools are reported. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ProtocolError, RemoteError, SdkError, UrlElicitationRequiredError } from "../../../runtime/src/index.js";
import { McpServer, ResourceTemplate } from "../../../runtime/src/server.js";
import { connect, eras, info, methods, revisions, settled, text } from "./pair.js";

const form = { message: "?", requestedSchema: { type: "object" as const, properties: {} } };

describe.each(revisions)("%s: functions that a handler takes from its context", (revision) => {
  const asks = revision >= "2025-06-18";

  test("report progress and log", async () => {
    const server = new McpServer(info, { capabilities: { logging: {} } });
    const inputSchema = z.object({ id: z.number() });
    server.registerTool("t", { inputSchema }, async ({ id }, { progress, log, isLogLevelEnabled, notify }) => {
      progress({ progress: id });
      log("error", "logged");
      await notify("notifications/message", { level: "error", data: "notified" });
      return text(String(isLogLevelEnabled("error")));
    });
    const { client, wire } = await connect(server, revision);
    await client.setLoggingLevel("error");
    const seen: number[] = [];
    const onProgress = ({ progress }: { progress: number }): void => void seen.push(progress);
    expect(await client.callTool({ name: "t", arguments: { id: 5 } }, { onProgress })).toMatchObject(text("true"));
    expect(seen).toEqual([5]);
    expect(methods(wire, "in").filter((method) => method === "notifications/message")).toHaveLength(2);
  });

  test.runIf(asks)("ask the user, the model and for roots", async () => {
    const server = new McpServer(info);
    server.registerTool("t", {}, async ({ elicit, sample, listRoots }) => {
      const prompt = { messages: [{ role: "user" as const, content: { type: "text" as const, text: "?" } }] };
      const [{ action }, { model }, { roots }] = await Promise.all([
        elicit("a", form),
        sample("b", { ...prompt, maxTokens: 1 }),
        listRoots("c"),
      ]);
      return text([action, model, roots.length].join(" "));
    });
    const capabilities = { elicitation: {}, sampling: {}, roots: {} };
    const { client } = await connect(server, revision, { capabilities }, (one) => {
      one.setRequestHandler("elicitation/create", () => ({ action: "decline" }));
      const content = { type: "text" as const, text: "!" };
      one.setRequestHandler("sampling/createMessage", () => ({ role: "assistant", content, model: "m" }));
    });
    expect(await client.callTool({ name: "t" })).toMatchObject(text("decline m 0"));
  });
});

describe.each(eras)("%s: an error of a tool", (revision) => {
  async function failing(error: unknown) {
    const problems: Error[] = [];
    const server = new McpServer(info, { onerror: (problem) => problems.push(problem) });
    server.registerTool("t", {}, () => {
      throw error;
    });
    server.registerTool("later", {}, () => Promise.reject(error as Error));
    server.registerTool("before", { inputRequests: () => Promise.reject(error as Error) }, () => text(""));
    const { client } = await connect(server, revision);
    for (const name of ["t", "later", "before"]) await client.callTool({ name }).catch(() => undefined);
    return problems;
  }

  test("is reported with its stack", async () => {
    const error = new TypeError("cannot read it");
    expect(await failing(error)).toEqual([error, error, error]);
    expect(error.stack).toContain("handler-context.test");
    expect(await failing("text")).toMatchObject([{ message: "text" }, { message: "text" }, { message: "text" }]);
  });

  test.each<[string, Error]>([
    ["a ProtocolError", new ProtocolError(-1, "no")],
    [
      "a required URL",
      new UrlElicitationRequiredError([{ mode: "url", elicitationId: "1", message: "Go", url: "https://x.test/" }]),
    ],
  ])("is not reported when it is %s", async (_, error) => {
    expect(await failing(error)).toEqual([]);
  });

  test.each<[string, Error]>([
    ["of another server", new RemoteError(-32000, "no", undefined)],
    ["of this package", new SdkError("CANNOT_ASK", "no")],
  ])("is reported when it is one %s", async (_, error) => {
    expect(await failing(error)).toHaveLength(3);
  });

  test("is not reported when the client has cancelled", async () => {
    const problems: Error[] = [];
    const server = new McpServer(info, { onerror: (problem) => problems.push(problem) });
    const ended = new Promise<void>((resolve) =>
      server.registerTool("t", {}, async ({ signal }) => {
        await new Promise((stop) => signal.addEventListener("abort", stop));
        resolve();
        throw new Error("stopped");
      }),
    );
    const { client } = await connect(server, revision);
    const controller = new AbortController();
    const call = client.callTool({ name: "t" }, { signal: controller.signal });
    await settled();
    controller.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
    await ended;
    await settled();
    expect(problems).toEqual([]);
  });
});

describe("lists of templates", () => {
  const all = Array.from({ length: 5 }, (_, index) => ({ uri: `db://row/${index}`, name: String(index) }));
  const rows = (cursor: string | undefined, size: number) => {
    const start = Number(cursor ?? 0);
    const end = start + size;
    return { resources: all.slice(start, end), ...(end < all.length && { nextCursor: String(end) }) };
  };

  test.each(revisions)("%s: are sent in the pages that their callbacks return", async (revision) => {
    const cursors: (string | undefined)[] = [];
    const server = new McpServer(info, { pageSize: 1 });
    const read = (): { contents: never[] } => ({ contents: [] });
    for (const name of ["a", "b"]) server.registerResource(name, `test://${name}`, {}, read);
    const list = (_: unknown, cursor: string | undefined) => {
      cursors.push(cursor);
      return rows(cursor, 2);
    };
    server.registerResource("rows", new ResourceTemplate("db://row/{id}", { list }), {}, read);
    const slower = new ResourceTemplate("db://ü/{id}", { list: (_, cursor) => rows(cursor, 4) });
    server.registerResource("ü", slower, {}, read);
    server.registerResource("one", new ResourceTemplate("one://{x}", { list: () => rows("4", 1) }), {}, read);
    const { client, wire } = await connect(server, revision);
    const { resources } = await client.listResources();
    const names = resources.map(({ name }) => name);
    expect(names.join(" ")).toBe("a b 0 1 0 1 2 3 4 2 3 4 4");
    expect(cursors).toEqual([undefined, "2", "4"]);
    const pages = wire.filter(({ result }) => Array.isArray(result?.["resources"]));
    expect(pages.map(({ result }) => (result?.["resources"] as unknown[]).length)).toEqual([1, 8, 3, 1]);
    const cursor = btoa("[]");
    await expect(client.listResources({ cursor })).rejects.toMatchObject({ code: -32602 });
  });
});

test("a list handler of one connection is reported if the server has a stateless revision", async () => {
  const problems: Error[] = [];
  const server = new McpServer(info, { onerror: (problem) => problems.push(problem) });
  server.registerTool("t", {}, () => text(""));
  const { connection } = await connect(server, "2026-07-28");
  connection.handle({ "tools/list": () => ({ tools: [] }), "tools/call": () => text("") });
  expect(problems).toMatchObject([
    { code: "INVALID_CONFIGURATION", message: expect.stringMatching(/^tools\/list: in 2026-07-28/) as string },
  ]);
});
