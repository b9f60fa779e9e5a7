import { describe, expect, test } from "vitest";
import { effectiveOverlay } from "../../../../generator/pipeline/overlay/effective-overlay.js";
import { marked } from "../../shared/diagnostics/marked.js";
import { problems } from "../../shared/diagnostics/problems.js";

const refused = (text: string): string[] =>
  problems(() => effectiveOverlay("r", [{ revision: "r", file: "o.json", text }]));

describe("rejects an overlay that is not JSON, at the position of the error", () => {
  test.each([
    ["", "1:1"],
    ['{\n  "extends": r\n}', "2:14"],
    ['{\n  "extends": "r",\n}', "3:1"],
  ])("%s", (text, place) => {
    expect(refused(text)).toEqual([expect.stringMatching(new RegExp(`^o\\.json:${place} overlay-malformed: `))]);
  });

  test("ignores a byte order mark", () => expect(refused('\uFEFF{ "specification": "x" }')).toEqual([]));
});

describe("rejects an overlay with another structure, at the member that deviates", () => {
  const spec = '"spec": "x"';
  const method = (more: string): string =>
    `{ "methods": { "client": { "ping": { "capability": null, ${spec}${more} } } } }`;
  const actions = "one of fill, drop, substitute, function, unsupported, envelope";
  const methodMembers = "capability, spec, when, alternative, stream, routedBy, pages";
  test.each<[source: string, reason: string]>([
    ["▸[]", "o.json: expected an object"],
    ["▸null", "o.json: expected an object"],
    [
      '{ "extend": ▸"x" }',
      expect.stringMatching(/^extend: expected one of the members extends, specification, integers, /) as string,
    ],
    ['{ "__proto__": ▸{} }', expect.stringMatching(/^__proto__: expected one of the members /) as string],
    ['{ "extends": ▸1 }', "extends: expected string"],
    ['{ "specification": ▸null }', "specification: expected string"],
    ['{ "integers": ▸[] }', "integers: expected an object"],
    ['{ "integers": { "A": ▸{} } }', "integers.A: expected a member spec"],
    ['{ "integers": { "A": { "spec": ▸1 } } }', "integers.A.spec: expected string"],
    [`{ "integers": { "A": { ${spec}, "text": ▸"y" } } }`, "integers.A.text: expected one of the members spec"],
    [
      `{ "commonParams": { "result": ▸{ "type": "A", ${spec} } } }`,
      "commonParams.result: expected one of the keys request, notification",
    ],
    [`{ "results": { "A": ▸{ ${spec} } } }`, "results.A: expected a member result"],
    [`{ "resultTag": ▸{ "member": "a", "own": "b", ${spec} } }`, "resultTag: expected a member alternatives"],
    [
      `{ "resultTag": { "member": "a", "own": "b", "alternatives": { "c": { "type": "A", "atLeastOneOf": ▸"x" } }, ${spec} } }`,
      "resultTag.alternatives.c.atLeastOneOf: expected a list",
    ],
    [`{ "inBand": ▸{ "requests": "A", ${spec} } }`, "inBand: expected a member answers"],
    ['{ "methods": { "both": ▸{} } }', "methods.both: expected one of the keys client, server"],
    [`{ "methods": { "client": { "ping": ▸{ ${spec} } } } }`, "methods.client.ping: expected a member capability"],
    [
      `{ "methods": { "client": { "ping": { "capability": ▸5, ${spec} } } } }`,
      "methods.client.ping.capability: expected string or null",
    ],
    [method(', "capabilty": ▸1'), `methods.client.ping.capabilty: expected one of the members ${methodMembers}`],
    [method(', "when": ▸{}'), "methods.client.ping.when: expected a list"],
    [method(', "when": [▸{ "member": "a" }]'), "methods.client.ping.when.0: expected a member capability"],
    [
      method(', "when": [{ "member": "a", "capability": "b", "values": [▸1] }]'),
      "methods.client.ping.when.0.values.0: expected string",
    ],
    [
      method(', "alternative": ▸{ "type": "A", "member": "b" }'),
      "methods.client.ping.alternative: expected a member onlyWith",
    ],
    [method(', "stream": ▸{}'), "methods.client.ping.stream: expected a member acknowledged"],
    [method(', "routedBy": ▸null'), "methods.client.ping.routedBy: expected string"],
    [`{ "capabilities": { "host": ▸{} } }`, "capabilities.host: expected one of the keys client, server"],
    [`{ "errors": { "-1": ▸{ ${spec} } } }`, "errors.-1: expected a member meaning"],
    [
      `{ "errors": { "-1": { "meaning": "m", "httpStatus": ▸1.5, ${spec} } } }`,
      "errors.-1.httpStatus: expected integer",
    ],
    [`{ "errors": { "one": ▸{ "meaning": "m", ${spec} } } }`, "errors.one: expected an error code as the key"],
    [
      `{ "errors": { "-1": { "meaning": "m", "name": ▸"A-B", ${spec} } } }`,
      "errors.-1.name: expected capitals, digits and underscores",
    ],
    [`{ "limits": { "A.b": { "maxItems": ▸"1", ${spec} } } }`, "limits.A.b.maxItems: expected integer"],
    [`{ "defaults": { "A.b": { "value": ▸{}, ${spec} } } }`, "defaults.A.b.value: expected scalar"],
    [`{ "defaults": { "A.b": { "value": ▸null, ${spec} } } }`, "defaults.A.b.value: expected scalar"],
    [`{ "deprecated": { "a": ▸{ "since": "x", "instead": "y", ${spec} } } }`, "deprecated.a: expected a member covers"],
    [
      `{ "profile": { "pong": ▸{ "value": true, ${spec} } } }`,
      expect.stringMatching(/^profile\.pong: expected one of the keys opening, ping, /) as string,
    ],
    [`{ "profile": { "ping": { "value": ▸"yes", ${spec} } } }`, "profile.ping.value: expected boolean"],
    [`{ "profile": { "notFoundCode": { "value": ▸1.5, ${spec} } } }`, "profile.notFoundCode.value: expected integer"],
    [
      `{ "profile": { "opening": { "value": ▸"always", ${spec} } } }`,
      "profile.opening.value: expected handshake, stateless",
    ],
    [
      `{ "profile": { "opening": { "value": ▸null, ${spec} } } }`,
      "profile.opening.value: expected handshake, stateless",
    ],
    [
      `{ "profile": { "schemaDialect": { "value": ▸1, ${spec} } } }`,
      "profile.schemaDialect.value: expected string | null",
    ],
    [
      `{ "authorization": { "iss": ▸{ "value": true, ${spec} } } }`,
      expect.stringMatching(/^authorization\.iss: expected one of the members resourceMetadata, /) as string,
    ],
    [
      `{ "authorization": { "versionHeader": { "value": ▸null, ${spec} } } }`,
      "authorization.versionHeader.value: expected boolean",
    ],
    [
      `{ "authorization": { "serverMetadata": { "value": ["oauth", ▸"dns"], ${spec} } } }`,
      "authorization.serverMetadata.value.1: expected oauth, openidInserted, openidAppended, origin",
    ],
    [
      `{ "authorization": { "defaultEndpoints": { "value": ▸{ "authorize": "/a", "token": "/t" }, ${spec} } } }`,
      "authorization.defaultEndpoints.value: expected a member register",
    ],
    [`{ "sections": { "p": ▸"A" } }`, "sections.p: expected a list"],
    [`{ "sections": { "p": ["A", ▸1] } }`, "sections.p.1: expected string"],
    [`{ "conversions": { "back": ▸{} } }`, "conversions.back: expected one of the keys up, down"],
    [`{ "conversions": { "up": { "A": ▸null } } }`, "conversions.up.A: expected an object"],
    [`{ "conversions": { "up": { "A": ▸{ "drop": true } } } }`, "conversions.up.A: expected a member spec"],
    [`{ "conversions": { "up": { "A": { "function": ▸1, ${spec} } } } }`, "conversions.up.A.function: expected string"],
    [`{ "conversions": { "up": { "A": ▸{ ${spec} } } } }`, `conversions.up.A: expected ${actions}`],
    [
      `{ "conversions": { "up": { "A": ▸{ "fill": 1, "unsupported": "b", ${spec} } } } }`,
      `conversions.up.A: expected ${actions}`,
    ],
    [
      `{ "conversions": { "up": { "A.b": ▸{ "unsupported": "b", "keep": true, ${spec} } } } }`,
      "conversions.up.A.b: expected `keep` only beside `fill`",
    ],
    [
      `{ "conversions": { "down": { "A.b": ▸{ "drop": true, ${spec} } } } }`,
      "conversions.down.A.b: expected a loss: the data that is left out or changed",
    ],
  ])("%s", (source, reason) => {
    const { text, place } = marked(source);
    const [found = "", ...more] = refused(text);
    expect(more).toEqual([]);
    expect([found.slice(0, found.indexOf(" ")), found.slice(found.indexOf(": ") + 2)]).toEqual([
      `o.json:${place}`,
      reason,
    ]);
    expect(found).toContain(" overlay-malformed: ");
  });
});

test("accepts an overlay with every kind of conversion", () => {
  const spec = "x";
  const up = {
    a: { fill: null, spec },
    b: { fill: { any: ["JSON"] }, loss: "b", spec },
    c: { drop: true, loss: "c", spec },
    d: { substitute: { a: 1 }, as: "D", loss: "d", spec },
    e: { function: "e", loss: "e", spec },
    f: { unsupported: "f", spec },
    g: { envelope: true, spec },
  };
  expect(refused(JSON.stringify({ conversions: { up, down: up } }))).toEqual([]);
});

test("accepts an overlay with every member, and with each member null", () => {
  const spec = "x";
  const full = {
    specification: "s",
    integers: { A: { spec } },
    commonParams: { request: { type: "A", spec }, notification: { type: "A", spec } },
    results: { A: { result: "B", spec } },
    resultTag: { member: "a", own: "b", alternatives: { c: { type: "A", atLeastOneOf: ["x"] } }, spec },
    inBand: { requests: "A", answers: "B", spec },
    methods: {
      client: { a: { capability: null, spec } },
      server: {
        a: {
          capability: "client.a",
          when: [{ member: "a", values: ["b"], capability: "client.b" }],
          alternative: { type: "A", member: "a", onlyWith: "b" },
          stream: { acknowledged: "a" },
          routedBy: "a",
          spec,
        },
      },
    },
    capabilities: { client: { a: { spec } }, server: { a: { spec } } },
    errors: { "-1": { name: "A", meaning: "m", httpStatus: 400, spec } },
    limits: { "A.b": { maxItems: 1, maxLength: 1, minLength: 1, spec } },
    defaults: { "A.b": { value: 1, spec } },
    metaKeys: { a: { spec } },
    deprecated: { a: { since: "r", removalNotBefore: "d", instead: "i", covers: ["A*"], spec } },
    profile: { ping: { value: true, spec }, schemaDialect: { value: null, spec }, notFoundCode: { value: -1, spec } },
    authorization: {
      versionHeader: { value: true, spec },
      serverMetadata: { value: ["origin", "oauth"], spec },
      defaultEndpoints: { value: { authorize: "/a", token: "/t", register: "/r" }, spec },
    },
    sections: { p: ["A*"] },
  };
  expect(refused(JSON.stringify(full))).toEqual([]);
  const withdrawn = JSON.stringify(full, (key, value: unknown) => {
    const isTable =
      ["client", "server"].includes(key) ||
      (key in full && !["methods", "capabilities", "specification", "resultTag", "inBand"].includes(key));
    return isTable ? Object.fromEntries(Object.keys(value as object).map((name) => [name, null])) : value;
  });
  expect(refused(withdrawn)).toEqual([]);
  expect(refused('{ "resultTag": null, "inBand": null }')).toEqual([]);
});
