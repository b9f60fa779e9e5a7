import { describe, expect, test } from "vitest";
import { effectiveOverlay } from "../../../../generator/pipeline/overlay/effective-overlay.js";
import { buildModel } from "../../../../generator/pipeline/passes/build-model.js";
import { noDocs } from "../../../../generator/pipeline/passes/read-docs.js";
import { readJsonSchema } from "../../../../generator/pipeline/read/json-schema.js";
import { readTypeScript } from "../../../../generator/pipeline/read/typescript.js";
import { marked } from "../../shared/diagnostics/marked.js";
import { problems } from "../../shared/diagnostics/problems.js";
import { ping } from "./build.js";

const schema = `${ping}
interface Params { a: string; items: string[]; one: number }
interface Tagged {
  /** @maxItems 5 */
  list: string[];
  kind?: string;
  "io.x/key"?: string;
}
interface ServerCapabilities { foo?: {} }
type Text = string;
interface Note { method: "note" }
type ClientNotification = Note;
const FAILED = -5;
`;
const spec = '"spec": "x"';

function refused(overlay: string): { errors: string[]; place: string } {
  const { text, place } = marked(overlay);
  const module = readTypeScript(schema, "s.ts");
  const errors = problems(() =>
    buildModel(module, "r", effectiveOverlay("r", [{ revision: "r", file: "o.json", text }]), noDocs),
  );
  return { errors, place };
}

const method = (fact: string, side = "client", name = "ping"): string =>
  `{ "methods": { "${side}": { "${name}": ▸{ "capability": null, ${spec}${fact} } } } }`;

describe("rejects an own entry that matches nothing", () => {
  test.each<[overlay: string, entry: string]>([
    [`{\n  "integers": { "Nope": ▸{ ${spec} } }\n}`, "integers.Nope"],
    [`{ "integers": { "Params": ▸{ ${spec} } } }`, "integers.Params"],
    [`{ "integers": { "Text": ▸{ ${spec} } } }`, "integers.Text"],
    [`{ "commonParams": { "request": ▸{ "type": "Nope", ${spec} } } }`, "commonParams.request"],
    [`{ "commonParams": { "notification": ▸{ "type": "Text", ${spec} } } }`, "commonParams.notification"],
    [`{ "results": { "NopeRequest": ▸{ "result": "PingResult", ${spec} } } }`, "results.NopeRequest"],
    [
      `{ "resultTag": ▸{ "member": "kind", "own": "a", "alternatives": { "b": { "type": "Nope", "atLeastOneOf": [] } }, ${spec} } }`,
      "resultTag",
    ],
    [
      `{ "resultTag": ▸{ "member": "nope", "own": "a", "alternatives": { "b": { "type": "Tagged", "atLeastOneOf": [] } }, ${spec} } }`,
      "resultTag",
    ],
    [
      `{ "resultTag": ▸{ "member": "kind", "own": "a", "alternatives": { "b": { "type": "Tagged", "atLeastOneOf": ["nope"] } }, ${spec} } }`,
      "resultTag",
    ],
    [`{ "inBand": ▸{ "requests": "Nope", "answers": "Text", ${spec} } }`, "inBand"],
    [`{ "inBand": ▸{ "requests": "ClientRequest", "answers": "Nope", ${spec} } }`, "inBand"],
    [method("", "client", "nope"), "methods.client.nope"],
    [method("", "server"), "methods.server.ping"],
    [
      `{ "methods": { "client": { "ping": ▸{ "capability": "server.nope", ${spec} } } } }`,
      "methods.client.ping: capability server.nope",
    ],
    [
      `{ "methods": { "client": { "ping": ▸{ "capability": "foo", ${spec} } } } }`,
      "methods.client.ping: capability foo",
    ],
    [method(', "when": [{ "member": "nope", "capability": "server.foo" }]'), "methods.client.ping: condition on nope"],
    [
      method(', "alternative": { "type": "Tagged", "member": "nope", "onlyWith": "a" }'),
      "methods.client.ping: alternative Tagged",
    ],
    [method(', "routedBy": "nope"'), "methods.client.ping: routedBy nope"],
    [method(', "stream": { "acknowledged": "nope" }'), "methods.client.ping: stream nope"],
    [method(', "stream": { "acknowledged": "note" }'), "methods.client.ping: stream note"],
    [`{ "capabilities": { "server": { "nope": ▸{ ${spec} } } } }`, "capabilities.server.nope"],
    [`{ "capabilities": { "client": { "foo": ▸{ ${spec} } } } }`, "capabilities.client.foo"],
    [`{ "errors": { "-6": ▸{ "meaning": "m", ${spec} } } }`, "errors.-6"],
    [`{ "limits": { "Nope.a": ▸{ "maxItems": 1, ${spec} } } }`, "limits.Nope.a"],
    [`{ "limits": { "Params.nope": ▸{ "maxItems": 1, ${spec} } } }`, "limits.Params.nope"],
    [`{ "defaults": { "Params.a.b": ▸{ "value": 1, ${spec} } } }`, "defaults.Params.a.b"],
    [`{ "defaults": { "Params": ▸{ "value": 1, ${spec} } } }`, "defaults.Params"],
    [`{ "deprecated": { "d": ▸{ "since": "r", "instead": "i", "covers": ["Nope*"], ${spec} } } }`, "deprecated.d"],
    [
      `{ "deprecated": { "d": ▸{ "since": "r", "instead": "i", "covers": ["Text", "Params.nope"], ${spec} } } }`,
      "deprecated.d: Params.nope",
    ],
    ['{ "sections": { "page": ▸["Nope"] } }', "sections.page"],
    ['{ "sections": { "page": ▸["Ping*", "Nope*"] } }', "sections.page: Nope*"],
  ])("%s", (overlay, entry) => {
    const { errors, place } = refused(overlay);
    expect(errors).toEqual([`o.json:${place} overlay-stale: ${entry} matches nothing in the schema`]);
  });
});

describe("rejects an own entry that the schema makes superfluous", () => {
  test.each<[overlay: string, entry: string]>([
    [`{ "results": { "PingRequest": ▸{ "result": "PingResult", ${spec} } } }`, "results.PingRequest"],
    [`{ "errors": { "-5": ▸{ "name": "FAILED", "meaning": "m", ${spec} } } }`, "errors.-5.name"],
    [`{ "limits": { "Tagged.list": ▸{ "maxItems": 5, ${spec} } } }`, "limits.Tagged.list"],
    [`{ "metaKeys": { "io.x/key": ▸{ ${spec} } } }`, "metaKeys.io.x/key"],
  ])("%s", (overlay, entry) => {
    const { errors, place } = refused(overlay);
    expect(errors).toEqual([`o.json:${place} overlay-redundant: ${entry} repeats a fact that the schema states`]);
  });
});

test("reports all of them together, after errors of the schema", () => {
  const { errors } = refused(
    '▸{ "sections": { "page": ["Nope"] }, "results": { "PingRequest": { "result": "PingResult", "spec": "x" } } }',
  );
  expect(errors.map((found) => found.replace(/^o\.json:\d+:\d+ /, ""))).toEqual([
    "overlay-redundant: results.PingRequest repeats a fact that the schema states",
    "overlay-stale: sections.page matches nothing in the schema",
  ]);
});

test("own entries may match nothing in JSON Schema, which has lost some declarations", () => {
  const definitions = {
    ClientRequest: { $ref: "#/definitions/PingRequest" },
    PingRequest: { type: "object", properties: { method: { const: "ping" } }, required: ["method"] },
    PingResult: { type: "object" },
    Id: { type: "integer" },
  };
  const text = `{ "integers": { "Id": { ${spec} } }, "errors": { "-5": { "meaning": "m", ${spec} } }, "sections": { "page": ["Nope", "Ping*"] }, "methods": { "client": { "ping": { "capability": null, ${spec} } } } }`;
  const overlay = effectiveOverlay("r", [{ revision: "r", file: "o.json", text }]);
  const { model } = buildModel(readJsonSchema(JSON.stringify({ definitions }), "s.json"), "r", overlay, noDocs);
  expect(model.dropped).toEqual(["sections.page: Nope", "errors.-5"]);
});
