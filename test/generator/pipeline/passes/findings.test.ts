import { describe, expect, test } from "vitest";
import { authorizationFields } from "../../../../generator/shared/model/authorization.js";
import { profileFields } from "../../../../generator/shared/model/profile.js";
import type { OverlayFile } from "../../../../generator/shared/model/overlay.js";
import { build, ping, pingMethods, spec } from "./build.js";

const methods = pingMethods;

describe("reports a fact that no overlay states as a finding, with a complete model:", () => {
  test.each<[what: string, schema: string, own: OverlayFile, expected: string[]]>([
    [
      "the capability of a request",
      `\n${ping}`,
      {},
      ["s.ts:2:11 capability-unstated: no overlay states which capability ping (sent by the client) needs"],
    ],
    [
      "the capability of a method, by direction",
      `${ping}\ninterface Note { method: "note" } type ClientNotification = Note; type ServerNotification = Note;`,
      { methods: { ...methods, server: { note: { capability: null, spec } } } },
      ["s.ts:2:11 capability-unstated: no overlay states which capability note (sent by the client) needs"],
    ],
    [
      "a capability of the schema",
      `${ping}\ninterface ClientCapabilities { a?: { b?: {} } }\ninterface ServerCapabilities { a?: {} }`,
      { methods, capabilities: { client: { a: { spec } } } },
      [
        "s.ts:2:11 capability-unknown: no overlay mentions the new capability a.b of the client",
        "s.ts:3:11 capability-unknown: no overlay mentions the new capability a of the server",
      ],
    ],
    [
      "the meaning of an error code",
      `${ping}\nconst FAILED = -5; const VERSION = "1"; const SIZE = 5;`,
      { methods },
      ["s.ts:2:7 error-code-unstated: no overlay states the meaning of error -5 (FAILED)"],
    ],
    [
      "the replacement of a deprecated type",
      `${ping}\n/** @deprecated */\ntype Old = string;`,
      { methods },
      ["s.ts:3:6 deprecation-unstated: Old is deprecated, but its replacement is not stated"],
    ],
  ])("%s", (_, schema, own, expected) => {
    const { model, findings } = build(schema, { own });
    expect(findings).toEqual(expected);
    expect(model.requests).toMatchObject([{ method: "ping", capability: null }]);
  });

  test("every profile field", () => {
    const { model, findings } = build(ping, { own: { methods, profile: {} } });
    expect(findings).toEqual(
      profileFields.map(({ name }) => `profile-unstated: no overlay states the profile field ${name}`),
    );
    expect(model.profile).toEqual([]);
  });

  test("every authorization field, once one is stated", () => {
    const { model, findings } = build(ping, {
      own: { methods, authorization: { defaultEndpoints: { value: null, spec } } },
    });
    expect(findings).toEqual(
      authorizationFields.flatMap(({ name }) =>
        name === "defaultEndpoints"
          ? []
          : [`authorization-unstated: the overlays state some authorization fields, but not ${name}`],
      ),
    );
    expect(model.authorization).toEqual([{ field: "defaultEndpoints", value: null, link: spec }]);
  });

  test("every fact, without any overlay", () => {
    const { findings } = build(ping);
    expect(findings).toHaveLength(1 + profileFields.length);
  });

  test("nothing when every fact is stated", () => expect(build(ping, { own: { methods } }).findings).toEqual([]));
});

describe("a new revision without an overlay of its own", () => {
  test("extends the newest overlay, which is a finding", () => {
    const { model, findings } = build(ping, { older: { specification: "https://s/1/", methods } });
    expect(findings).toEqual([
      `profile-inherited: revision r2 has no overlay of its own; it inherits ${profileFields.length} profile fields from r1`,
    ]);
    expect(model).toMatchObject({
      revision: "r2",
      specification: "https://s/1/",
      dropped: [],
      requests: [{ method: "ping", link: "https://s/1/x" }],
    });
    expect(model.profile).toHaveLength(profileFields.length);
  });

  test("is accepted with an empty overlay", () =>
    expect(build(ping, { older: { methods }, own: {} }).findings).toEqual([]));
});

describe("drops and lists inherited entries that no longer match", () => {
  const capabilities = "interface ServerCapabilities { foo?: {} }";
  const stated = { server: { foo: { spec } } };
  test.each<[what: string, older: OverlayFile, dropped: string[]]>([
    ["integers", { integers: { Gone: { spec } } }, ["integers.Gone"]],
    ["common params", { commonParams: { request: { type: "Gone", spec } } }, ["commonParams.request"]],
    ["results", { results: { GoneRequest: { result: "PingResult", spec } } }, ["results.GoneRequest"]],
    [
      "the result tag",
      { resultTag: { member: "kind", own: "a", alternatives: { b: { type: "Gone", atLeastOneOf: [] } }, spec } },
      ["resultTag"],
    ],
    ["the embedded requests", { inBand: { requests: "Gone", answers: "Gone", spec } }, ["inBand"]],
    [
      "methods",
      {
        methods: {
          client: { ...methods.client, gone: { capability: null, spec } },
          server: { ping: { capability: null, spec } },
        },
      },
      ["methods.client.gone", "methods.server.ping"],
    ],
    [
      "capabilities",
      { capabilities: { client: { gone: { spec } }, server: { ...stated.server, "foo.gone": { spec } } } },
      ["capabilities.client.gone", "capabilities.server.foo.gone"],
    ],
    ["errors", { errors: { "-5": { meaning: "Gone.", spec } } }, ["errors.-5"]],
    ["limits", { limits: { "PingResult.gone": { maxItems: 1, spec } } }, ["limits.PingResult.gone"]],
    ["defaults", { defaults: { "Gone.gone": { value: 1, spec } } }, ["defaults.Gone.gone"]],
    [
      "deprecations",
      { deprecated: { gone: { since: "r0", instead: "x", covers: ["Gone", "Gone*"], spec } } },
      ["deprecated.gone"],
    ],
    [
      "a part of a deprecation",
      { deprecated: { gone: { since: "r0", instead: "x", covers: ["PingResult", "Gone"], spec } } },
      ["deprecated.gone: Gone"],
    ],
    ["sections", { sections: { gone: ["Gone*"], part: ["Ping*", "Gone"] } }, ["sections.part: Gone", "sections.gone"]],
    [
      "a condition",
      {
        methods: { client: { ping: { capability: null, when: [{ member: "gone", capability: "server.foo" }], spec } } },
      },
      ["methods.client.ping: condition on gone"],
    ],
    [
      "an alternative",
      {
        methods: {
          client: { ping: { capability: null, alternative: { type: "Gone", member: "a", onlyWith: "b" }, spec } },
        },
      },
      ["methods.client.ping: alternative Gone"],
    ],
    [
      "a routed member",
      { methods: { client: { ping: { capability: null, routedBy: "gone", spec } } } },
      ["methods.client.ping: routedBy gone"],
    ],
  ])("%s", (_, older, dropped) => {
    const { model, findings } = build(`${ping} ${capabilities}`, {
      older: { methods, capabilities: stated, ...older },
      own: {},
    });
    expect(model.dropped).toEqual(dropped);
    expect(findings).toEqual([]);
    expect(model.requests).toEqual([
      {
        method: "ping",
        type: "PingRequest",
        paramsOptional: true,
        sender: "client",
        capability: null,
        conditions: [],
        result: { kind: "single", type: "PingResult" },
        link: "x",
      },
    ]);
  });

  test("reports the capability of a method as unstated again", () => {
    const older = { methods: { client: { ping: { capability: "server.gone", spec } } } };
    const { model, findings } = build(ping, { older, own: {} });
    expect(model.dropped).toEqual(["methods.client.ping: capability server.gone"]);
    expect(model.requests[0]?.capability).toBeNull();
    expect(findings).toEqual([
      "s.ts:1:11 capability-unstated: no overlay states which capability ping (sent by the client) needs",
    ]);
  });

  test("accepts inherited entries that only repeat the schema", () => {
    const older: OverlayFile = {
      methods,
      results: { PingRequest: { result: "PingResult", spec } },
      integers: { Id: { spec } },
      metaKeys: { "io.x/a": { spec } },
    };
    const schema = {
      definitions: {
        Id: { type: "integer" },
        M: { type: "object", properties: { "io.x/a": {} } },
        PingResult: { type: "object" },
        PingRequest: { type: "object", properties: { method: { const: "ping" } }, required: ["method"] },
        ClientRequest: { $ref: "#/definitions/PingRequest" },
      },
    };
    expect(build(schema, { older, own: {} }).model.dropped).toEqual([]);
    expect(build(`${ping} type Id = number; interface M { "io.x/a": 1 }`, { older, own: {} }).model.dropped).toEqual(
      [],
    );
  });
});
