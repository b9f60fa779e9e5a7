import { expect, test } from "vitest";
import { rejectNameCollisions } from "../../../../generator/pipeline/emit/reserved-names.js";
import { emitStubs } from "../../../../generator/pipeline/emit/stubs.js";
import { loadModel } from "../../../../generator/pipeline/load-model.js";
import type { ProtocolModel } from "../../../../generator/shared/model/protocol.js";
import { collision } from "./collision.js";

const { model } = await loadModel({ revision: "2026-07-28" });

const withType = (name: string): ProtocolModel => ({
  ...model,
  definitions: [...model.definitions, { kind: "alias", name, type: { kind: "string" } }],
});
const withConstant = (name: string): ProtocolModel => ({
  ...model,
  constants: [...model.constants, { name, value: 1 }],
});
const withError = (name: string): ProtocolModel => ({
  ...model,
  errors: [...model.errors, { code: -5, name, declared: false }],
});

test.each([
  ["a type named like a type map", withType("ClientRequests")],
  ["a type named like an event union", withType("ServerEvent")],
  ["a type named like a predicate", withType("isTool")],
  ["a type named like the profile", withType("profile")],
  ["a type named like an outcome", withType("CallToolOutcome")],
  ["a constant named like a table", withConstant("ERROR_CODES")],
  ["a constant named like the version", withConstant("PROTOCOL_VERSION")],
  ["a constant named like a side", withConstant("serverSide")],
  ["a constant named like a result row", withConstant("clientCallToolResult")],
  ["a constant named like the values of an enumeration", withConstant("ROLE_VALUES")],
  ["an error named like a constant", withError("PARSE_ERROR")],
])("rejects %s", (_, changed) => {
  expect(collision(() => rejectNameCollisions(changed))).toMatch(/^name-collision: /);
});

test.each(["Paginate", "RequestResult", "HandleClient"])(
  "rejects a request %sRequest whose stub would hide a name that the module uses",
  (stem) => {
    const [first] = model.requests;
    if (!first) throw new Error("no requests");
    const changed = { ...model, requests: [...model.requests, { ...first, method: "x/y", type: `${stem}Request` }] };
    expect(collision(() => emitStubs("client", changed))).toMatch(/^name-collision: /);
  },
);

test("accepts the published schemas", () => {
  expect(collision(() => rejectNameCollisions(model))).toBeUndefined();
  expect(collision(() => rejectNameCollisions(withType("Fine")))).toBeUndefined();
});
