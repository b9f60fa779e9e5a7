import { ELICITATION_CREATE, ROOTS_LIST, SAMPLING_CREATE_MESSAGE } from "@mcpwright/protocol/names";
import { describe, expect, test } from "vitest";
import type {
  ContentBlock,
  CreateMessageRequestParams,
  InputRequests,
  SamplingMessage,
  Tool,
} from "../../../../runtime/src/authoring.js";
import {
  mapInputRequired,
  mapPromptResult,
  mapReadResult,
  mapSamplingParams,
  mapTool,
  mapToolResult,
} from "../../../../runtime/src/gateway/composition/result-uris.js";

const same = (uri: string): string => uri;
const wrap = (uri: string): string => (uri.startsWith("keep:") ? uri : `via-a+${uri}`);
const never = (uri: string): string => {
  throw new Error(`${uri} was mapped`);
};

const text: ContentBlock = { type: "text", text: "see file:///a" };
const image: ContentBlock = { type: "image", data: "AAAA", mimeType: "image/png" };
const link = (uri: string): ContentBlock => ({ type: "resource_link", uri, name: "a" });
const embedded = (uri: string): ContentBlock => ({
  type: "resource",
  resource: { uri, text: "a", _meta: { uri } },
  annotations: { priority: 1 },
});

/** Freezes an object with all that it contains, so that a write throws. */
function frozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

describe("results of tools", () => {
  const result = frozen({
    resultType: "complete" as const,
    content: [text, link("file:///a"), link("keep:1"), embedded("file:///b"), embedded("keep:2")],
    structuredContent: { uri: "file:///a" },
    _meta: { uri: "file:///a" },
  });

  test("links and embedded resources are mapped, and nothing else", () => {
    const mapped = mapToolResult(result, wrap);
    expect(mapped).toEqual({
      ...result,
      content: [
        text,
        link("via-a+file:///a"),
        link("keep:1"),
        { ...embedded("file:///b"), resource: { uri: "via-a+file:///b", text: "a", _meta: { uri: "file:///b" } } },
        embedded("keep:2"),
      ],
    });
    for (const at of [0, 2, 4]) expect(mapped.content[at]).toBe(result.content[at]);
    expect(mapped.structuredContent).toBe(result.structuredContent);
    expect(mapped._meta).toBe(result._meta);
  });

  test.for<[string, object]>([
    ["text and images", { resultType: "complete", content: [text, image] }],
    ["no blocks", { resultType: "complete", content: [] }],
    ["no content", { resultType: "task", task: { taskId: "1" } }],
    ["a block of an unknown type", { resultType: "complete", content: [{ type: "other", uri: "file:///a" }] }],
  ])("%s: the same object, and the map is not called", ([, given]) => {
    expect(mapToolResult(frozen(given), never)).toBe(given);
  });

  test("URIs that stay: the same object", () => {
    expect(mapToolResult(result, same)).toBe(result);
    expect(mapToolResult(result, (uri) => [uri].join())).toBe(result);
  });

  test("each URI is mapped once", () => {
    const seen: string[] = [];
    mapToolResult(result, (uri) => {
      seen.push(uri);
      return `x${uri}`;
    });
    expect(seen).toEqual(["file:///a", "keep:1", "file:///b", "keep:2"]);
  });

  test("many links take little time", () => {
    const content = Array.from({ length: 100_000 }, (_, index) => link(`file:///${index}`));
    const start = performance.now();
    const mapped = mapToolResult({ content }, wrap);
    expect(performance.now() - start).toBeLessThan(2_000);
    expect(mapped.content.at(-1)).toEqual(link("via-a+file:///99999"));
  });
});

describe("results of prompts", () => {
  const result = frozen({
    resultType: "complete" as const,
    messages: [
      { role: "user" as const, content: text },
      { role: "user" as const, content: embedded("file:///a") },
      { role: "assistant" as const, content: link("file:///b") },
    ],
  });

  test("blocks of messages are mapped", () => {
    const mapped = mapPromptResult(result, wrap);
    expect(mapped.messages.map(({ content }) => content)).toMatchObject([
      text,
      { type: "resource", resource: { uri: "via-a+file:///a", text: "a" } },
      { type: "resource_link", uri: "via-a+file:///b" },
    ]);
    expect(mapped.messages[0]).toBe(result.messages[0]);
  });

  test("the same object when nothing changes", () => {
    expect(mapPromptResult(result, same)).toBe(result);
    const textOnly = frozen({ messages: [{ role: "user", content: text }] });
    expect(mapPromptResult(textOnly, never)).toBe(textOnly);
  });
});

describe("results of reading", () => {
  const result = frozen({
    contents: [
      { uri: "file:///a", text: "file:///a" },
      { uri: "keep:1", blob: "AAAA" },
    ],
    ttlMs: 0,
  });

  test("the URIs of contents are mapped", () => {
    const mapped = mapReadResult(result, wrap);
    expect(mapped).toEqual({
      ...result,
      contents: [{ uri: "via-a+file:///a", text: "file:///a" }, result.contents[1]],
    });
    expect(mapped.contents[1]).toBe(result.contents[1]);
  });

  test("the same object when nothing changes", () => {
    expect(mapReadResult(result, same)).toBe(result);
  });
});

describe("sampling", () => {
  const toolResult = (...content: ContentBlock[]) => ({ type: "tool_result" as const, toolUseId: "1", content });
  const messages: SamplingMessage[] = [
    { role: "user", content: { type: "text", text: "file:///a" } },
    { role: "assistant", content: [{ type: "tool_use", id: "1", name: "read", input: { uri: "file:///a" } }] },
    { role: "user", content: [toolResult(text, link("file:///a"))] },
    { role: "user", content: toolResult(embedded("file:///b")) },
  ];
  const params: CreateMessageRequestParams = frozen({ messages, maxTokens: 5 });

  test("resources in results of tools are mapped", () => {
    const mapped = mapSamplingParams(params, wrap);
    expect(mapped.maxTokens).toBe(5);
    expect(mapped.messages.slice(0, 2)).toEqual(messages.slice(0, 2));
    expect(mapped.messages[0]).toBe(messages[0]);
    expect(mapped.messages[2]).toEqual({ role: "user", content: [toolResult(text, link("via-a+file:///a"))] });
    expect(mapped.messages[3]).toMatchObject({ content: { content: [{ resource: { uri: "via-a+file:///b" } }] } });
    expect(mapSamplingParams(params, same)).toBe(params);
  });

  const inputRequests: InputRequests = {
    model: { method: SAMPLING_CREATE_MESSAGE, params },
    form: {
      method: ELICITATION_CREATE,
      params: { message: "file:///a", requestedSchema: { type: "object", properties: {} } },
    },
    url: { method: ELICITATION_CREATE, params: { mode: "url", message: "Log in", url: "https://example.com/" } },
    roots: { method: ROOTS_LIST },
  };
  const asking = frozen({ resultType: "input_required" as const, inputRequests, requestState: "s" });

  test.for([mapInputRequired, mapToolResult, mapPromptResult, mapReadResult])(
    "a result that asks for input (%#): only sampling is mapped",
    (mapResult) => {
      const mapped = mapResult(asking, wrap);
      expect(mapped.inputRequests["model"]).toEqual({
        method: SAMPLING_CREATE_MESSAGE,
        params: mapSamplingParams(params, wrap),
      });
      expect(Object.keys(mapped.inputRequests)).toEqual(["model", "form", "url", "roots"]);
      for (const key of ["form", "url", "roots"]) expect(mapped.inputRequests[key]).toBe(inputRequests[key]);
      expect(mapped.requestState).toBe("s");
      expect(mapResult(asking, same)).toBe(asking);
    },
  );

  test("keys of object members stay keys", () => {
    const given = JSON.parse(
      `{"inputRequests":{"__proto__":{"method":"${SAMPLING_CREATE_MESSAGE}","params":${JSON.stringify(params)}}}}`,
    ) as { inputRequests: InputRequests };
    const { inputRequests: mapped } = mapInputRequired(given, wrap);
    expect(Object.keys(mapped)).toEqual(["__proto__"]);
    expect(JSON.stringify(mapped)).toContain("via-a+file:///b");
    expect(Object.getPrototypeOf(mapped)).toBe(Object.prototype);
  });

  test("a result without requests is the same object", () => {
    const waiting = { resultType: "input_required" as const, requestState: "s" };
    expect(mapInputRequired(waiting, never)).toBe(waiting);
  });
});

describe("apps of tools", () => {
  const tool = (_meta?: Tool["_meta"]): Tool =>
    frozen({ name: "show", inputSchema: { type: "object" }, ...(_meta && { _meta }) });
  const host = (uri: string): string => uri.replace("ui://", "ui://via-a/");

  test("the URI is mapped in both members", () => {
    const given = tool({ ui: { resourceUri: "ui://x", visibility: ["app"] }, "ui/resourceUri": "ui://x", other: 1 });
    expect(mapTool(given, host)).toEqual({
      ...given,
      _meta: {
        ui: { resourceUri: "ui://via-a/x", visibility: ["app"] },
        "ui/resourceUri": "ui://via-a/x",
        other: 1,
      },
    });
    expect(mapTool(tool({ "ui/resourceUri": "ui://x" }), host)._meta).toEqual({ "ui/resourceUri": "ui://via-a/x" });
    expect(mapTool(tool({ ui: { resourceUri: "ui://x" } }), host)._meta).toEqual({
      ui: { resourceUri: "ui://via-a/x" },
    });
  });

  test.for<[string, Tool["_meta"]]>([
    ["no metadata", undefined],
    ["other metadata", { a: { resourceUri: "ui://x" } }],
    ["members of other types", { ui: { resourceUri: 1 }, "ui/resourceUri": { a: 1 } }],
    ["ui is not an object", { ui: "ui://x" }],
    ["ui is a list", { ui: ["ui://x"] }],
  ])("%s: the same object", ([, _meta]) => {
    const given = tool(_meta);
    expect(mapTool(given, never)).toBe(given);
  });

  test("a URI that stays: the same object", () => {
    const given = tool({ ui: { resourceUri: "ui://x" }, "ui/resourceUri": "ui://x" });
    expect(mapTool(given, same)).toBe(given);
  });
});
