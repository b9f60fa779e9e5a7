import { describe, expect, test } from "vitest";
import { emitNames } from "../../../../generator/pipeline/emit/name-constants.js";
import { constantName } from "../../../../generator/shared/names/case.js";
import { loadModel } from "../../../../generator/pipeline/load-model.js";
import type { ProtocolModel } from "../../../../generator/shared/model/protocol.js";
import { collision } from "./collision.js";

describe("the constant of a method", () => {
  test.each([
    ["ping", "PING"],
    ["tools/call", "TOOLS_CALL"],
    ["notifications/tools/list_changed", "NOTIFICATIONS_TOOLS_LIST_CHANGED"],
    ["logging/setLevel", "LOGGING_SET_LEVEL"],
    ["sampling/createMessage", "SAMPLING_CREATE_MESSAGE"],
    ["resources/readURLNow", "RESOURCES_READ_URL_NOW"],
    ["vendor.example/do-it", "VENDOR_EXAMPLE_DO_IT"],
    ["2fa/ask", "_2FA_ASK"],
    ["", "_"],
    ["a b", "A$0020B"],
    ["a$0020b", "A$00240020B"],
    ["ä", "$00C4"],
    ["🙂", "$D83D$DE42"],
  ])("%j: %s", (method, name) => {
    expect(constantName(method)).toBe(name);
  });
});

const { model } = await loadModel({ revision: "2026-07-28" });
const bare: ProtocolModel = { ...model, requests: [], notifications: [], inputRequests: [], metaKeys: [] };

interface Sent {
  readonly requests?: readonly string[];
  readonly embedded?: readonly string[];
  readonly keys?: readonly string[];
}

function revision(id: string, { requests = [], embedded = [], keys = [] }: Sent): ProtocolModel {
  const [request] = model.requests;
  const [input] = model.inputRequests;
  if (!request || !input) throw new Error("nothing to copy");
  return {
    ...bare,
    revision: id,
    requests: requests.map((method) => ({ ...request, method })),
    inputRequests: embedded.map((method) => ({ ...input, method })),
    metaKeys: keys,
  };
}

test("the doc comment of each constant lists the revisions that have the method or key", () => {
  const models = [
    revision("1", { requests: ["b/c", "a"], keys: ["x.example/k"] }),
    revision("2", { requests: ["a"], embedded: ["b/c", "d"], keys: ["y.example/k", "x.example/k"] }),
  ];
  expect(emitNames(models, [])).toEqual([
    '/** Method in 1, 2. */\nexport const A = "a";',
    '/** Method in 1. Embedded in results in 2. */\nexport const B_C = "b/c";',
    '/** Embedded in results in 2. */\nexport const D = "d";',
    '/** Key of `_meta` in 1, 2. */\nexport const META_K = "x.example/k";',
    '/** Key of `_meta` in 2. */\nexport const META_Y_EXAMPLE_K = "y.example/k";',
  ]);
});

test.each<[string, readonly Sent[]]>([
  ["two methods of a revision", [{ requests: ["tools/call", "tools_call"] }]],
  ["methods of two revisions", [{ requests: ["tools/setLevel"] }, { requests: ["tools/set_level"] }]],
  ["a method and one embedded in results", [{ requests: ["a/b"], embedded: ["a.b"] }]],
  ["a method and a key", [{ requests: ["meta/logLevel"], keys: ["x.example/logLevel"] }]],
  ["two keys", [{ keys: ["log-level", "log.level"] }]],
])("rejects %s that would have the same name", (_, sent) => {
  const models = sent.map((facts, at) => revision(String(at), facts));
  expect(collision(() => emitNames(models, []))).toMatch(/^name-collision: /);
});
