/** What inspect finds in the lists and capabilities of a server. */
import { describe, expect, test } from "vitest";
import { findLosses } from "../../../../../generator/commands/inspect/losses/find-losses.js";
import type { FoundLoss } from "../../../../../generator/commands/inspect/losses/revision-losses.js";

type Pages = Readonly<Record<string, readonly object[] | undefined>>;

interface Given {
  readonly server?: string;
  readonly capabilities?: object;
  readonly pages?: Pages;
}

function lossesFor(clients: string, given: Given = {}): readonly FoundLoss[] {
  const { server = "2026-07-28", capabilities = { tools: {} }, pages = {} } = given;
  const known = {
    revision: server,
    capabilities: capabilities as Record<string, unknown>,
    pagesOf: (method: string) => pages[method] as readonly Record<string, unknown>[] | undefined,
  };
  return findLosses(known, clients).losses;
}

/** `method kind at` with certainty and items, of one kind of message. */
function shown(losses: readonly FoundLoss[], method: string): readonly string[] {
  return losses
    .filter((loss) => loss.method === method)
    .map(({ kind, at, certainty, items }) => `${certainty} ${kind} ${at}${items ? `: ${items.join()}` : ""}`);
}

const complete = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
const plain = { name: "plain", inputSchema: { type: "object" } };
const structured = { ...plain, name: "structured", outputSchema: { type: "object" } };
const array = { ...plain, name: "array", outputSchema: { type: "array" } };
const decorated = {
  ...plain,
  name: "decorated",
  title: "Decorated",
  icons: [{ src: "https://example.com/icon.png" }],
  annotations: { readOnlyHint: true },
  _meta: { "com.example/own": 1 },
};
const toolPages = (...tools: readonly object[]): Pages => ({ "tools/list": [{ ...complete, tools }] });

describe("tools", () => {
  test("the items that lose something are named, on all pages", () => {
    const pages = {
      "tools/list": [
        { ...complete, tools: [plain, structured] },
        { ...complete, tools: [decorated, { ...structured, name: "other" }] },
      ],
    };
    const losses = lossesFor("2025-03-26", { pages });
    expect(shown(losses, "tools/list")).toEqual(["certain drop Tool.outputSchema: structured,other"]);
    expect(shown(losses, "tools/call")).toEqual([
      "possible change CallToolResult.structuredContent",
      "certain drop CallToolResult.structuredContent: structured,other",
      "possible change ResourceLink",
    ]);
  });

  test("a schema that a step replaces is lost at that step, and its replacement at the next", () => {
    const pages = toolPages(structured, array);
    expect(shown(lossesFor("2025-11-25", { pages }), "tools/list")).toEqual([
      "certain change Tool.outputSchema: array",
    ]);
    expect(shown(lossesFor("2025-11-25", { pages }), "tools/call")).toEqual([
      "certain change CallToolResult.structuredContent: array",
    ]);
    expect(shown(lossesFor("2024-11-05", { pages }), "tools/list")).toEqual([
      "certain change Tool.outputSchema: array",
      "certain drop Tool.outputSchema: structured",
    ]);
  });

  test("names, icons, titles, annotations and _meta are lost at no step", () => {
    for (const clients of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])
      expect(shown(lossesFor(clients, { pages: toolPages(plain, decorated) }), "tools/list")).toEqual([]);
  });

  test("structured content can come from tools without an output schema", () => {
    expect(shown(lossesFor("2025-03-26", { pages: toolPages(plain) }), "tools/call")).toContain(
      "possible drop CallToolResult.structuredContent",
    );
  });
});

describe("lists", () => {
  test("a list that the server did not send can lose everything", () => {
    expect(shown(lossesFor("2025-03-26", { pages: {} }), "tools/list")).toEqual([
      "possible drop CacheableResult.ttlMs",
      "possible drop CacheableResult.cacheScope",
      "possible change Tool.outputSchema",
      "possible drop Tool.outputSchema",
    ]);
    expect(shown(lossesFor("2025-03-26", { pages: { "tools/list": [{ tools: [] }] } }), "tools/list")).toEqual([]);
  });

  test("items that are invalid, which clients leave out, hide no losses of others", () => {
    const pages = toolPages({ name: 1 }, null as never, structured);
    expect(shown(lossesFor("2025-03-26", { pages }), "tools/list")).toEqual([
      "certain drop Tool.outputSchema: structured",
    ]);
  });

  test.each([
    ["the default", complete, []],
    ["a time", { ...complete, ttlMs: 5_000 }, ["certain drop CacheableResult.ttlMs"]],
    ["a scope", { ...complete, cacheScope: "public" }, ["certain drop CacheableResult.cacheScope"]],
  ])("caching hints are lost unless they are what clients assume: %s", (_name, hints, expected) => {
    const pages = { "prompts/list": [{ ...hints, prompts: [] }] };
    expect(shown(lossesFor("2025-11-25", { capabilities: { prompts: {} }, pages }), "prompts/list")).toEqual(expected);
  });
});

describe("capabilities", () => {
  test("messages of capabilities that the server does not declare are not lost", () => {
    expect(lossesFor("2024-11-05", { capabilities: {} })).toEqual([]);
    const only = lossesFor("2024-11-05", { capabilities: { completions: {}, logging: {} } });
    expect(only).toEqual([]);
    expect(lossesFor("2024-11-05", { capabilities: { prompts: {} } }).map(({ method }) => method)).not.toContain(
      "tools/call",
    );
  });

  test("tasks exist in one revision", () => {
    const pages = { "tools/list": [{ tools: [{ ...structured, execution: { taskSupport: "optional" } }] }] };
    const capabilities = { tools: {}, tasks: { list: {}, requests: { tools: { call: {} } } } };
    const given = { server: "2025-11-25", capabilities, pages };
    expect(shown(lossesFor("2025-11-25", given), "tools/list")).toEqual(["certain drop Tool.execution: structured"]);
    for (const clients of ["2026-07-28", "2025-06-18"]) {
      const losses = lossesFor(clients, given);
      expect(losses[0]).toEqual({
        direction: "toClient",
        method: "tasks/list",
        kind: "unsupported",
        at: "capabilities.tasks",
        text: `${clients} has none of its methods.`,
        certainty: "certain",
      });
    }
    expect(shown(lossesFor("2025-06-18", { ...given, capabilities: { tools: {} } }), "tools/list")).toEqual([]);
  });

  test.each(["constructor", "toString", "__proto__"])("a capability named %s is one without methods", (name) => {
    const capabilities = JSON.parse(`{ "tools": {}, ${JSON.stringify(name)}: {} }`) as object;
    expect(lossesFor("2024-11-05", { capabilities })).toEqual(lossesFor("2024-11-05"));
  });
});

describe("questions", () => {
  const sampling = (losses: readonly FoundLoss[]): readonly string[] =>
    losses.filter(({ method }) => method === "sampling/createMessage").map(({ direction, at }) => `${direction} ${at}`);

  test("what clients are asked, and what they answer, have losses of their own", () => {
    expect(sampling(lossesFor("2025-06-18", { server: "2025-11-25" }))).toEqual([
      "toClient CreateMessageRequestParams.tools",
      "toClient ToolUseContent",
      "toClient ToolResultContent",
      "toClient SamplingMessage.content[]",
    ]);
    expect(sampling(lossesFor("2025-11-25", { server: "2025-06-18" }))).toEqual([
      "toServer ToolUseContent",
      "toServer ToolResultContent",
      "toServer SamplingMessage.content[]",
    ]);
  });

  test("of a question that clients do not know, no parts are lost", () => {
    expect(shown(lossesFor("2025-03-26"), "elicitation/create")).toEqual(["possible unsupported elicitation/create"]);
    expect(shown(lossesFor("2025-06-18"), "elicitation/create")).toHaveLength(3);
  });

  test("the end of a log-in at a URL", () => {
    const method = "notifications/elicitation/complete";
    expect(shown(lossesFor("2026-07-28", { server: "2025-11-25" }), method)).toEqual([
      `possible unsupported ${method}`,
    ]);
    expect(shown(lossesFor("2025-11-25", { server: "2025-11-25" }), method)).toEqual([]);
  });

  test("a server without tools, prompts and resources does not ask", () => {
    expect(lossesFor("2025-06-18", { server: "2025-11-25", capabilities: { logging: {} } })).toEqual([]);
  });
});

test("each loss is found once", () => {
  for (const server of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"])
    for (const clients of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]) {
      const capabilities = { tools: {}, prompts: {}, resources: {}, completions: {}, tasks: {} };
      const keys = lossesFor(clients, { server, capabilities }).map(({ direction, method, kind, at }) =>
        [direction, method, kind, at].join(),
      );
      expect(keys).toEqual([...new Set(keys)]);
    }
});

test("a revision that is not published has no known losses", () => {
  expect(lossesFor("2025-03-26", { server: "1999-01-01" })).toEqual([]);
});
