import * as officialServer from "@modelcontextprotocol/server";
import { CompleteRequestSchema } from "@modelcontextprotocol/core";
import * as officialSdk from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test } from "vitest";
import * as ourSdk from "../../../compat/src/sdk/types.js";
import * as ourTypes from "../../../compat/src/types/index.js";
import { allInstances } from "./instances.js";

type Guard = (value: unknown) => boolean;

function guardsOf(module: Readonly<Record<string, unknown>>, names: readonly string[]): ReadonlyMap<string, Guard> {
  return new Map(names.map((name) => [name, module[name] as Guard]));
}

const own = Object.keys(ourTypes).filter((name) => /^is[A-Z]/.test(name));
const ofSdk = Object.keys(officialSdk).filter((name) => /^is[A-Z]/.test(name));

function initialize(capabilities: unknown): unknown {
  const clientInfo = { name: "a", version: "1" };
  return { method: "initialize", params: { protocolVersion: "2025-11-25", clientInfo, capabilities } };
}

/** Values beside the corpus. */
const further: readonly unknown[] = [
  initialize({ experimental: { a: [] } }),
  initialize({ roots: null }),
  initialize({ extensions: { "a/b": 1 } }),
  initialize({ elicitation: { form: { applyDefaults: "x" } } }),
  initialize({ sampling: { context: { a: () => 1 } } }),
  { content: [{ type: "image", data: "%", mimeType: "image/png" }] },
  { content: [{ type: "resource", resource: { uri: "a:b", blob: "%" } }] },
  { content: [{ type: "text", text: "", annotations: { lastModified: "2025-01-01" } }] },
  { content: [{ type: "text", text: "", annotations: { priority: 2 } }] },
  { content: [], structuredContent: [1], _meta: { "io.modelcontextprotocol/serverInfo": 1 } },
  { jsonrpc: "2.0", id: 2 ** 60, method: "a" },
  { jsonrpc: "2.0", id: 2 ** 60, result: {} },
  { jsonrpc: "2.0", id: 2 ** 60, error: { code: 1, message: "a" } },
  { jsonrpc: "2.0", id: 1.5, method: "a" },
  { jsonrpc: "2.0", id: 1, method: "a", params: { _meta: { "io.modelcontextprotocol/related-task": {} } } },
  { jsonrpc: "2.0", method: "a", params: { _meta: { progressToken: 1.5 } } },
  { jsonrpc: "2.0", id: 1, error: { code: 1, message: "a", extra: 1 } },
  { jsonrpc: "2.0", id: 1, error: { code: 1.5, message: "a" } },
  { jsonrpc: "2.0", id: 1, result: {}, extra: 1 },
  { _meta: { "io.modelcontextprotocol/related-task": { taskId: 1 } }, task: {} },
  undefined,
  [],
  "a",
];

const values = [...allInstances().map(({ value }) => value), ...further];

/** Replaces members of a value at any depth. */
function withMembers(value: unknown, replace: (key: string, member: unknown) => unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, member: unknown) => replace(key, member))) as unknown;
}

/** By the name of a guard, a function that makes the parts equal which ours checks in another way. */
type Unchecked = Readonly<Record<string, (value: unknown) => unknown>>;

/** The differences that docs/guide/compat.md describes. */
const unchecked: Unchecked = {
  isCallToolResult: (value) =>
    withMembers(value, (key, member) => {
      if (typeof member !== "string") return member;
      if (key === "lastModified") return "2025-01-01T00:00:00Z";
      return key === "data" || key === "blob" ? "AA==" : member;
    }),
  isInitializeRequest: (value) =>
    withMembers(value, (key, member) => (key === "extensions" || key === "applyDefaults" ? undefined : member)),
};

const packages = [
  ["server", guardsOf(officialServer, own), guardsOf(ourTypes, own), unchecked],
  [
    "sdk/types.js",
    guardsOf(officialSdk, ofSdk),
    guardsOf(ourSdk, ofSdk),
    {
      ...unchecked,
      // 1.x accepts lists as settings of experimental features.
      isInitializeRequest: (value) =>
        withMembers(value, (key, member) =>
          key === "extensions" || key === "applyDefaults" ? undefined : key === "experimental" ? {} : member,
        ),
    },
  ],
] as const satisfies readonly (readonly [string, ReadonlyMap<string, Guard>, ReadonlyMap<string, Guard>, Unchecked])[];

describe.each(packages)("the guards of %s", (_name, official, ours, differing: Unchecked) => {
  test.each([...official])("%s accepts what the official one accepts", { timeout: 120_000 }, (name, officialGuard) => {
    const guard = ours.get(name);
    const counts = { accepted: 0, rejected: 0, described: 0 };
    const differences: unknown[] = [];
    for (const value of values) {
      const expected = officialGuard(value);
      if (expected) counts.accepted++;
      else counts.rejected++;
      const found = guard?.(value);
      if (found === expected) continue;
      const equal = differing[name]?.(value);
      if (equal !== undefined && officialGuard(equal) && guard?.(equal)) counts.described++;
      else differences.push(value);
    }
    expect(differences).toEqual([]);
    expect(counts.accepted).toBeGreaterThan(10);
    expect(counts.rejected).toBeGreaterThan(10);
    expect(counts.described > 0).toBe(name in differing);
  });
});

/** Whether `whole` has each member of `part` at any depth. */
function contains(whole: unknown, part: unknown): boolean {
  if (typeof part !== "object" || part === null) return Object.is(whole, part);
  return Object.entries(part).every(([key, member]) =>
    contains((whole as Readonly<Record<string, unknown>>)[key], member),
  );
}

test("parseJSONRPCMessage returns the messages that the official one returns, and rejects the same values", () => {
  const differences: unknown[] = [];
  let messages = 0;
  for (const value of values) {
    const expected = resultOf(officialServer.parseJSONRPCMessage, value);
    const found = resultOf(ourTypes.parseJSONRPCMessage, value);
    if ("error" in expected) {
      if (!("error" in found && found.error instanceof TypeError)) differences.push(value);
      continue;
    }
    messages++;
    if (!("returned" in found && found.returned === value && contains(value, expected.returned)))
      differences.push(value);
  }
  expect(differences).toEqual([]);
  expect(messages).toBeGreaterThan(100);
}, 120_000);

function resultOf(
  call: (value: never) => unknown,
  value: unknown,
): { readonly returned: unknown } | { readonly error: unknown } {
  try {
    return { returned: call(value as never) };
  } catch (error) {
    return { error };
  }
}

test.each(["assertCompleteRequestPrompt", "assertCompleteRequestResourceTemplate"] as const)(
  "%s throws for the same requests, with the same error",
  (name) => {
    const requests = values.filter((value) => CompleteRequestSchema.safeParse(value).success);
    const results = requests.map((request) => resultOf(officialServer[name], request));
    expect(requests.map((request) => resultOf(ourTypes[name], request))).toEqual(results);
    expect(new Set(results.map((result) => "error" in result)).size).toBe(2);
  },
);
