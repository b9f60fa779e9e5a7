import * as revision from "@mcpwright/protocol/2025-11-25";
import { listAllTools } from "@mcpwright/protocol/2025-11-25/client";
import { handleServer } from "@mcpwright/protocol/2025-11-25/server";
import { InvalidResultError } from "@mcpwright/protocol/support";
import { expect, test } from "vitest";
import { collect } from "../support/collect.js";
import { connectionPair } from "../support/connection-double.js";

interface Page {
  readonly names: readonly string[];
  readonly nextCursor?: string;
}

/** A server with these pages, by cursor; "" is the first. */
function serving(pages: Readonly<Record<string, Page>>) {
  const { client, server } = connectionPair(revision);
  const asked: (revision.PaginatedRequestParams | undefined)[] = [];
  handleServer(server, {
    "tools/list": (params) => {
      asked.push(params);
      if (asked.length > 5) throw new Error("the iteration does not end");
      const { names = [], nextCursor } = pages[params?.cursor ?? ""] ?? {};
      const tools = names.map((name) => ({ name, inputSchema: { type: "object" as const } }));
      return { tools, ...(nextCursor !== undefined && { nextCursor }) };
    },
  });
  return { client, asked };
}

const three = {
  "": { names: ["a", "b"], nextCursor: "2" },
  "2": { names: [], nextCursor: "3" },
  "3": { names: ["c"] },
};

test("yields items in order over three pages, one of them empty", async () => {
  const { client, asked } = serving(three);
  const tools = await collect(listAllTools(client));
  expect(tools.map(({ name }) => name)).toEqual(["a", "b", "c"]);
  expect(asked).toEqual([{}, { cursor: "2" }, { cursor: "3" }]);
});

test("requests a page only when it is needed", async () => {
  const { client, asked } = serving(three);
  for await (const { name } of listAllTools(client)) if (name === "b") break;
  expect(asked).toHaveLength(1);
});

test("sends the params with every page; those of the first can have a cursor", async () => {
  const { client, asked } = serving(three);
  const tools = await collect(listAllTools(client, { cursor: "2", _meta: { trace: "t" } }));
  expect(tools.map(({ name }) => name)).toEqual(["c"]);
  expect(asked).toEqual([
    { cursor: "2", _meta: { trace: "t" } },
    { cursor: "3", _meta: { trace: "t" } },
  ]);
});

test("treats an empty cursor as a cursor", async () => {
  const { client, asked } = serving({ "": { names: ["a"], nextCursor: "" } });
  await expect(collect(listAllTools(client))).rejects.toBeInstanceOf(InvalidResultError);
  expect(asked).toEqual([{}, { cursor: "" }]);
});

test("a page that repeats its own cursor ends the iteration with an error, after its items", async () => {
  const { client, asked } = serving({ "": { names: ["a"], nextCursor: "2" }, "2": { names: ["b"], nextCursor: "2" } });
  const names: string[] = [];
  const reading = (async () => {
    for await (const { name } of listAllTools(client)) names.push(name);
  })();
  await expect(reading).rejects.toMatchObject({
    name: "InvalidResultError",
    method: "tools/list",
    reason: "its nextCursor was already used",
    result: { nextCursor: "2" },
  });
  expect(names).toEqual(["a", "b"]);
  expect(asked).toHaveLength(2);
});

test("a page that repeats the cursor of an earlier one ends the iteration too", async () => {
  const { client, asked } = serving({ "": { names: [], nextCursor: "2" }, "2": { names: [], nextCursor: "3" }, "3": { names: [], nextCursor: "2" } });
  await expect(collect(listAllTools(client))).rejects.toBeInstanceOf(InvalidResultError);
  expect(asked).toHaveLength(3);
});

test("rejects a page that is not a list", async () => {
  const { client, server } = connectionPair(revision);
  server.handle({ "tools/list": () => ({ tools: [{ name: "without a schema" }] }) });
  await expect(collect(listAllTools(client))).rejects.toMatchObject({ method: "tools/list" });
});

test("passes the options to every request", async () => {
  const { client, asked } = serving(three);
  const abort = new AbortController();
  const reading = (async () => {
    for await (const { name } of listAllTools(client, undefined, { signal: abort.signal }))
      if (name === "b") abort.abort(new Error("enough"));
  })();
  await expect(reading).rejects.toThrow("enough");
  expect(asked).toHaveLength(1);
});
