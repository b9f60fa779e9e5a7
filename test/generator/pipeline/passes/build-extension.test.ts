import { describe, expect, test } from "vitest";
import type { ExtensionOverlayFile } from "../../../../generator/shared/model/extension.js";
import { problems } from "../../shared/diagnostics/problems.js";
import { layer, rankOverlay } from "./layer.js";

const spec = "#x";
const rank = `
  import type { Item, Request, Result } from "the-protocol";
  interface RankRequest extends Request { method: "rank"; params: { items: Item[]; top?: number } }
  interface RankResult extends Result { order: number[] }
  interface RankedNotification { method: "ranked"; params: { count: number } }
  interface DeferredResult extends Result { resultType: "deferred"; ticket: string }
  interface RankFilter { tickets?: string[] }
  interface RankSettings { maxItems?: number }
`;
const rankFacts = {
  requests: { client: { rank: { type: "RankRequest", spec } } },
  notifications: { server: { ranked: { type: "RankedNotification", spec } } },
} satisfies Partial<ExtensionOverlayFile>;

describe("an extension over a revision", () => {
  const { model, baseDefinitions } = layer(
    rank,
    rankOverlay({
      ...rankFacts,
      specification: "https://example.com/rank",
      settings: { client: "RankSettings" },
      commonParams: { request: "RequestParams" },
      results: { call: { deferred: { type: "DeferredResult", spec } } },
      filters: {
        tickets: { request: "listen", type: "RankFilter", notification: "ranked", key: "ticket", spec },
      },
      metaKeys: { "com.example/rank": { spec } },
    }),
  ).layered;

  test("has its own types only, and names those of the revision that they refer to", () => {
    expect(model.definitions.map(({ name }) => name)).toEqual([
      "RankRequest",
      "RankRequestParams",
      "RankResult",
      "RankedNotification",
      "RankedNotificationParams",
      "DeferredResult",
      "RankFilter",
      "RankSettings",
    ]);
    expect(model.imports).toEqual(["Item"]);
    expect(baseDefinitions.map(({ name }) => name)).toEqual(["RequestParams", "Item"]);
  });

  test("inherits the members of the revision's types", () => {
    const result = model.definitions.find(({ name }) => name === "DeferredResult");
    expect(result).toMatchObject({
      members: [{ name: "resultType", type: { kind: "literal", value: "deferred" } }, { name: "ticket" }],
      index: { kind: "unknown" },
    });
  });

  test("has its messages, results, filters, settings and keys", () => {
    expect(model).toMatchObject({
      extension: "com.example/rank",
      name: "rank",
      base: "r1",
      revisions: ["r1"],
      requests: [
        {
          method: "rank",
          sender: "client",
          params: "RankRequestParams",
          result: { kind: "single", type: "RankResult" },
        },
      ],
      notifications: [{ method: "ranked", sender: "server", params: "RankedNotificationParams" }],
      results: [
        {
          method: "call",
          tag: "deferred",
          type: "DeferredResult",
          atLeastOneOf: [],
          link: "https://example.com/rank#x",
        },
      ],
      filters: [{ member: "tickets", request: "listen", within: "filter", notification: "ranked", key: "ticket" }],
      settings: { client: "RankSettings", server: null },
      commonParams: { request: "RequestParams" },
      metaKeys: ["com.example/rank"],
    });
  });

  test("is plain JSON", () => {
    expect(JSON.parse(JSON.stringify(model))).toEqual(model);
  });
});

test("an overlay can state which side declares the extension, and the settings that requests need", () => {
  const requests = { client: { rank: { type: "RankRequest", setting: "maxItems", spec } } };
  const overlay = rankOverlay({ requests, declaredBy: "server", settings: { server: "RankSettings" } });
  expect(layer(rank, overlay).layered.model).toMatchObject({
    declaredBy: "server",
    neededSettings: { rank: "maxItems" },
  });
  const { model } = layer(rank, rankOverlay(rankFacts)).layered;
  expect(["declaredBy", "neededSettings"].filter((member) => member in model)).toEqual([]);
});

test("a result of the revision can be the result of a request", () => {
  const schema =
    'import type { Request } from "the-protocol"; interface PokeRequest extends Request { method: "poke" }';
  const requests = { client: { poke: { type: "PokeRequest", result: "CallResult", spec } } };
  const { model, baseDefinitions } = layer(schema, rankOverlay({ requests })).layered;
  expect(model.requests[0]?.result).toEqual({ kind: "single", type: "CallResult" });
  expect(baseDefinitions.map(({ name }) => name)).toEqual(["Item", "CallResult"]);
});

describe("role unions in the schema of an extension", () => {
  const roles = "type ClientRequest = RankRequest; export type ServerNotification = RankedNotification;";

  test("state the direction of its messages, without an overlay", () => {
    const { model } = layer(`${rank} ${roles}`).layered;
    expect(model).toMatchObject({
      requests: [{ method: "rank", sender: "client", result: { type: "RankResult" } }],
      notifications: [{ method: "ranked", sender: "server" }],
    });
    expect(model.definitions.map(({ name }) => name)).not.toContain("ClientRequest");
    expect(JSON.stringify([model.requests, model.notifications])).not.toContain('"link"');
  });

  test("have further facts in the overlay", () => {
    const requests = { client: { rank: { type: "RankRequest", routedBy: "top" } } };
    const { model } = layer(`${rank} ${roles}`, rankOverlay({ requests })).layered;
    expect(model.requests).toMatchObject([{ method: "rank", routedBy: "top" }]);
    expect(model.requests).toHaveLength(1);
  });
});

test("EXTENSION_ID states the id, and is not a constant of the output", () => {
  const { model } = layer(
    'export const EXTENSION_ID = "com.example/rank"; interface Box { of: typeof EXTENSION_ID }',
  ).layered;
  expect(model.constants).toEqual([]);
  expect(model.definitions).toMatchObject([{ members: [{ type: { kind: "literal", value: "com.example/rank" } }] }]);
});

test("an imported name can be an alias", () => {
  const schema = 'import type { Item as Thing } from "the-protocol"; interface Box { thing: Thing }';
  expect(layer(schema).layered.model).toMatchObject({
    imports: ["Item"],
    definitions: [{ members: [{ name: "thing", type: { kind: "reference", name: "Item" } }] }],
  });
});

test("`names` renames a declaration that the revision has, too", () => {
  const overlay = rankOverlay({ names: { Item: { name: "RankItem" } } });
  const { model } = layer("interface Item { rank: number } interface Box { item: Item }", overlay).layered;
  expect(model.definitions).toMatchObject([
    { name: "RankItem" },
    { name: "Box", members: [{ type: { kind: "reference", name: "RankItem" } }] },
  ]);
});

test.each<[problem: string, schema: string, overlay: Partial<ExtensionOverlayFile>, expected: readonly string[]]>([
  [
    "a type with the name of one of the revision",
    "interface Item { rank: number }",
    {},
    ["x.ts:1:11 extension-name-collision: Item is also a type of revision r1, and differs from it"],
  ],
  [
    "a method of the revision",
    'import type { Request, CallResult } from "p"; interface CallAgainRequest extends Request { method: "call" }',
    { requests: { client: { call: { type: "CallAgainRequest", result: "CallResult", spec } } } },
    ["overlay.json:8:12 extension-method-collision: call is also a method of revision r1"],
  ],
  [
    "an import that the revision does not have",
    'import type { Prompt } from "the-protocol"; interface Box { prompt: Prompt }',
    {},
    ["x.ts:1:15 import-name-missing: base.ts, which is imported as the-protocol, does not declare Prompt"],
  ],
  [
    "a result of a request that the revision does not have",
    'import type { Result } from "p"; interface Late extends Result { resultType: "late" }',
    { results: { prompt: { late: { type: "Late", spec } } } },
    [
      "overlay.json:7:13 extension-base-lacks: revision r1 does not have the request prompt, which the extension extends",
    ],
  ],
  [
    "a tag that the revision uses",
    'import type { Result } from "p"; interface Late extends Result { resultType: "ask" }',
    { results: { call: { ask: { type: "Late", spec } } } },
    ["overlay.json:8:11 extension-tag-collision: the result tag ask has a meaning in revision r1"],
  ],
  [
    "a filter of a request that opens no stream",
    rank,
    {
      ...rankFacts,
      filters: { tickets: { request: "call", type: "RankFilter", notification: "ranked", key: "ticket", spec } },
    },
    ["overlay.json:24:15 extension-base-lacks: revision r1 does not have the stream call, which the extension extends"],
  ],
  [
    "a filter that its type does not declare",
    rank,
    {
      ...rankFacts,
      filters: { others: { request: "listen", type: "RankFilter", notification: "ranked", key: "ticket", spec } },
    },
    ["overlay.json:25:12 extension-member-missing: RankFilter does not declare the member others"],
  ],
  [
    "a filter that selects an unknown notification",
    rank,
    { filters: { tickets: { request: "listen", type: "RankFilter", notification: "ranked", key: "ticket", spec } } },
    [
      "overlay.json:10:20 extension-method-unstated: the overlay refers to the notification ranked, which it does not state",
    ],
  ],
  [
    "a setting of a request that the settings of its receiver do not declare",
    rank,
    {
      requests: { client: { rank: { type: "RankRequest", setting: "top", spec } } },
      settings: { server: "RankSettings" },
    },
    ["overlay.json:10:16 extension-member-missing: RankSettings does not declare the member top"],
  ],
  [
    "a setting of a request whose receiver has no settings",
    rank,
    {
      requests: { client: { rank: { type: "RankRequest", setting: "maxItems", spec } } },
      settings: { client: "RankSettings" },
    },
    ["overlay.json:10:16 extension-member-missing: settings.server does not declare the member maxItems"],
  ],
  [
    "common params that the revision does not have",
    rank,
    { ...rankFacts, commonParams: { request: "RankSettings" } },
    ["overlay.json:23:14 extension-base-lacks: revision r1 does not have RankSettings, which the extension extends"],
  ],
  [
    "a type in the overlay that the schema does not declare",
    rank,
    { settings: { server: "Settings" } },
    [
      "overlay.json:7:13 extension-type-missing: the overlay of com.example/rank names the type Settings, which the schema does not declare or use",
    ],
  ],
  [
    "a message type that the schema does not declare",
    rank,
    { requests: { client: { rank: { type: "Rank", spec } } } },
    [
      "overlay.json:9:13 extension-type-missing: the overlay of com.example/rank names the type Rank, which the schema does not declare or use",
    ],
  ],
  [
    "another method than the type declares",
    rank,
    { requests: { client: { sort: { type: "RankRequest", result: "RankResult", spec } } } },
    ["overlay.json:8:12 extension-method-mismatch: the overlay states sort for RankRequest, which declares rank"],
  ],
  [
    "another type in the overlay than in a role union",
    `${rank} interface SortRequest extends Request { method: "rank" } type ClientRequest = RankRequest`,
    { requests: { client: { rank: { type: "SortRequest" } } } },
    [
      "overlay.json:8:12 extension-role-differs: rank is RankRequest in a role union of the schema, and SortRequest in the overlay",
    ],
  ],
  [
    "a method of the revision in a role union",
    'import type { Request, CallResult } from "p"; interface CallAgainRequest extends Request { method: "call" } type ClientRequest = CallAgainRequest',
    {},
    ["x.ts:1:57 extension-method-collision: call is also a method of revision r1"],
  ],
  [
    "a role union with a type that is not a message",
    'import type { Item } from "p"; type ServerRequest = Item',
    {},
    ["base.ts:4:13 role-member-not-message: Item in ServerRequest is not a message: it has no literal `method`"],
  ],
  [
    "a role union that is also imported",
    `import type { ClientRequest } from "p"; ${rank.replace(/import.*/, 'import type { Item, Request, Result } from "p";')} type ClientRequest = RankRequest`,
    {},
    ["x.ts:9:7 extension-name-collision: ClientRequest is also a type of revision r1, and differs from it"],
  ],
  [
    "another id in the schema than in the overlay",
    'const EXTENSION_ID = "com.example/sort"',
    {},
    ["x.ts:1:7 extension-id-differs: the schema states the id com.example/sort, and the overlay com.example/rank"],
  ],
  [
    "a request without a result",
    'import type { Request } from "p"; interface PokeRequest extends Request { method: "poke" }',
    { requests: { client: { poke: { type: "PokeRequest", spec } } } },
    ["x.ts:1:45 result-missing: no result type found for PokeRequest"],
  ],
  [
    "a new name for what is not declared",
    rank,
    { names: { Score: { name: "RankScore" } } },
    [
      "overlay.json:7:12 extension-type-missing: the overlay of com.example/rank names the type Score, which the schema does not declare or use",
    ],
  ],
])("%s is a diagnostic", (_, schema, overlay, expected) => {
  expect(problems(() => layer(schema, rankOverlay(overlay)))).toEqual(expected);
});
