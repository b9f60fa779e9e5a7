import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import * as officialInternal from "@modelcontextprotocol/core/internal";
import * as officialCore from "@modelcontextprotocol/core";
import * as officialOauth from "@modelcontextprotocol/sdk/shared/auth.js";
import * as officialSdk from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test } from "vitest";
import type * as z from "zod/v4";
import * as ourCore from "../../../compat/src/core.js";
import * as ourInternal from "../../../compat/src/core/internal.js";
import * as ourOauth from "../../../compat/src/types/sdk-oauth-schemas.js";
import * as ourSdk from "../../../compat/src/types/sdk-public-schemas.js";
import { compatTypes } from "../../../scripts/compat/types/files.js";
import { allInstances } from "./instances.js";

type Schemas = Readonly<Record<string, z.ZodType>>;

function schemasOf(module: object): Schemas {
  return Object.fromEntries(Object.entries(module).filter(([name]) => name.endsWith("Schema")));
}

/** Names under which the corpus has a type of the official SDK. */
const corpusNames: Readonly<Record<string, readonly string[]>> = {
  BaseRequestParams: ["RequestParams"],
  NotificationsParams: ["NotificationParams"],
  RequestMeta: ["RequestMetaObject"],
  SubscriptionsListenResultMeta: ["SubscriptionsListenResultMetaObject"],
  CreateMessageResultWithTools: ["CreateMessageResult"],
  SamplingContent: ["SamplingMessageContentBlock", "TextContent", "ToolUseContent"],
  CompatibilityCallToolResult: ["CallToolResult"],
  Progress: ["ProgressNotificationParams"],
  TaskCreationParams: ["TaskMetadata"],
  JSONRPCError: ["JSONRPCErrorResponse", "JSONRPCMessage"],
  ResourceReference: ["ResourceTemplateReference"],
};

/** Values of the documents of OAuth, which no corpus has. */
const documents: readonly unknown[] = [
  { issuer: "https://a.example", extra: 1 },
  {
    issuer: "https://a.example",
    authorization_endpoint: "https://a.example/authorize",
    token_endpoint: "https://a.example/token",
    jwks_uri: "https://a.example/keys",
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256"],
    authorization_response_iss_parameter_supported: "yes",
    code_challenge_methods_supported: ["S256"],
    extra: 1,
  },
  {
    issuer: "https://a.example",
    authorization_endpoint: "javascript:alert(1)",
    token_endpoint: "https://a.example/token",
    response_types_supported: ["code"],
  },
  { resource: "https://a.example", authorization_servers: ["https://b.example"], extra: 1 },
  { resource: "no URL" },
  { resource: "https://a.example", authorization_servers: ["data:,x"] },
  { access_token: "a", token_type: "Bearer", expires_in: "60", issuer: 7, extra: 1 },
  { access_token: "a", token_type: "Bearer", expires_in: "soon" },
  { access_token: "a", issued_token_type: "urn:ietf:params:oauth:token-type:id-jag", extra: 1 },
  { error: "invalid_grant", error_description: "No", error_uri: "x", extra: 1 },
  { redirect_uris: ["https://a.example/back"], logo_uri: "", tos_uri: "https://a.example", jwks: { keys: [] } },
  { redirect_uris: ["vbscript:x"] },
  { redirect_uris: ["https://a.example"], client_id: "c", client_id_issued_at: 1, application_type: "web", extra: 1 },
  { client_id: "c", client_secret: "s", client_secret_expires_at: "never" },
  { token: "t", token_type_hint: "access_token", extra: 1 },
  "https://a.example",
  "javascript:alert(1)",
  "",
  7,
];

/** Values beside the corpus that show defaults, and what happens to unknown and null members. */
const special: readonly unknown[] = [
  {},
  { content: null },
  { action: "accept", content: null },
  { capabilities: { elicitation: {} }, protocolVersion: "x", clientInfo: { name: "a", version: "1" } },
  { elicitation: {}, tasks: { list: {}, other: 1 }, extensions: { "a/b": {} }, experimental: { a: [] } },
  { elicitation: { form: { applyDefaults: true, more: 1 }, url: {}, other: "x" } },
  { _meta: { "io.modelcontextprotocol/serverInfo": { name: 7 }, progressToken: 1.5 } },
  { type: "tool_result", toolUseId: "a" },
  { autoRefresh: false, debounceMs: -1 },
  { uri: "file:///a", name: "b", other: 1 },
  { roots: [{ uri: "file:///a" }, { uri: "file:///b", other: 1 }] },
  [1, "a", { b: null }],
  undefined,
  null,
];

const instances = allInstances();

const packages: readonly (readonly [name: string, official: Schemas, own: Schemas, further: readonly unknown[]])[] = [
  ["core", schemasOf(officialCore), schemasOf(ourCore), [...special, ...documents]],
  ["core/internal", schemasOf(officialInternal), schemasOf(ourInternal), [...special, ...documents]],
  ["sdk/types.js", schemasOf(officialSdk), schemasOf(ourSdk), special],
  ["sdk/shared/auth.js", schemasOf(officialOauth), schemasOf(ourOauth), documents],
];

describe.each(packages)("the schemas of %s", (_name, official, own, further) => {
  test("have exactly the names of the official ones", () => {
    expect(Object.keys(own).sort()).toEqual(Object.keys(official).sort());
  });

  test("accept the same values and return the same", { timeout: 120_000 }, () => {
    const differences: string[] = [];
    const accepted = new Set<string>();
    const rejected = new Set<string>();
    for (const [key, schema] of Object.entries(official)) {
      const type = key.slice(0, -"Schema".length);
      const types = [type, ...(corpusNames[type] ?? [])];
      const values = instances.filter((instance) => types.includes(instance.type)).map(({ value }) => value);
      for (const value of [...values, ...further]) {
        const expected = schema.safeParse(value);
        const result = own[key]?.safeParse(value);
        (expected.success ? accepted : rejected).add(key);
        if (result?.success === expected.success && isDeepStrictEqual(result.data, expected.data)) continue;
        differences.push(`${key} ${JSON.stringify(value)}`);
      }
    }
    expect(differences.slice(0, 10)).toEqual([]);
    const names = Object.keys(official);
    expect(names.filter((name) => !accepted.has(name))).toEqual([]);
    expect(names.filter((name) => !rejected.has(name))).toEqual([]);
  });
});

test("the entry core exports no further schema", () => {
  expect(Object.keys(ourCore).sort()).toEqual(Object.keys(officialCore).sort());
});

test("programs can look into the schemas and extend them", () => {
  expect(ourCore.CallToolRequestSchema.shape.method.value).toBe("tools/call");
  const extended = ourCore.ToolSchema.extend({ cost: ourCore.ProgressSchema.shape.progress });
  expect(extended.parse({ name: "a", inputSchema: { type: "object", extra: 1 }, cost: 2, other: 3 })).toEqual({
    name: "a",
    inputSchema: { type: "object", extra: 1 },
    cost: 2,
  });
});

test("the files of compat/src/types have what scripts/compat/types prints", async () => {
  for (const [name, content] of await compatTypes()) {
    expect(readFileSync(new URL(`../../../compat/src/types/${name}`, import.meta.url), "utf8"), name).toBe(content);
  }
});
