import { expect, test } from "vitest";
import { emitStubs } from "../../../../generator/pipeline/emit/stubs.js";
import { loadModel } from "../../../../generator/pipeline/load-model.js";
import type { ProtocolModel } from "../../../../generator/shared/model/protocol.js";

const { model } = await loadModel({ revision: "2026-07-28" });

const withIndex = (name: string): ProtocolModel => ({
  ...model,
  definitions: model.definitions.map((definition) =>
    definition.name === name && definition.kind === "struct"
      ? { ...definition, index: { kind: "unknown" } }
      : definition,
  ),
});

const inputOf = (changed: ProtocolModel): string | undefined =>
  emitStubs("client", changed).inputs.find((input) => input.includes("interface ReadResourceInput "));

test("callers pass the params of the schema; `_meta` is optional", () => {
  expect(inputOf(model)).toMatch(/ extends Omit<ReadResourceRequestParams, "_meta">, FreeMeta \{\}$/);
});

test("lists members that an index signature would hide", () => {
  const input = inputOf(withIndex("ReadResourceRequestParams"));
  expect(input).toContain(" extends FreeMeta {\n");
  expect(input).toMatch(/\nuri: string;\n.*\ninputResponses\?: InputResponses;\n/s);
  expect(input).not.toContain("_meta");
});
