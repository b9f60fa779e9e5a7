import { describe, expect, test } from "vitest";
import type { OverlayFile } from "../../../../generator/shared/model/overlay.js";
import { rules } from "../../../../generator/commands/diff/rules.js";
import { profile, spec } from "../../pipeline/passes/build.js";
import { base, found, methods, params } from "./found.js";

const stated = (field: string, value: string | boolean): OverlayFile => ({
  profile: { ...profile, [field]: { value, spec } },
});
const authorization = (more: NonNullable<OverlayFile["authorization"]>): OverlayFile => ({
  authorization: { resourceMetadata: { value: true, spec }, ...more },
});
const asking = `
  interface AskRequest { method: "ask" } interface AskResult { answer?: string } ${base} ${params("a?: string")}
`;
const onWire = `${asking} type ServerRequest = AskRequest;`;
const inResult = `${asking} type Ask = AskRequest; type Answer = AskResult;`;
const asked: OverlayFile = { methods: { ...methods, server: { ask: { capability: null, spec } } } };
const carried: OverlayFile = { ...asked, inBand: { requests: "Ask", answers: "Answer", spec } };

interface Case {
  readonly older: string;
  readonly newer: string;
  readonly facts?: readonly [OverlayFile, OverlayFile];
  /** All findings, as `rule place`. */
  readonly expected: readonly string[];
}

const table: Readonly<Record<string, Case>> = {
  nothing: { older: params("a: string"), newer: params("a: string"), expected: [] },
  "texts and order": {
    older: params("\n/** One. */\na: string; b?: number"),
    newer: params("b?: number; \n/** Two. */\na: string"),
    expected: [],
  },
  "a member is new": {
    older: params("a: string"),
    newer: params("a: string; b?: number"),
    expected: ["member-added Params.b"],
  },
  "a required member is new": {
    older: params("a: string"),
    newer: params("a: string; b: number"),
    expected: ["member-added-required Params.b"],
  },
  "a member is gone": {
    older: params("a?: string; b: number"),
    newer: params(""),
    expected: ["member-removed Params.a", "required-member-removed Params.b"],
  },
  "a member is gone where any is admitted now": {
    older: params("a: { x?: string; y: string }"),
    newer: params("a: { y: string; [key: string]: unknown }"),
    expected: ["member-unlisted Params.a.x", "index-added Params.a[key]"],
  },
  "a member became required, another one optional": {
    older: params("a?: string; b: string"),
    newer: params("a: string; b?: string"),
    expected: ["member-required Params.a", "member-optional Params.b"],
  },
  "deep inside": {
    older: params("a: { b: { c?: string }[] }"),
    newer: params("a: { b: { c: string }[] }"),
    expected: ["member-required Params.a.b[].c"],
  },
  "an inherited member, once": {
    older: params("a: B; c: C", "interface A { x?: string } interface B extends A {} interface C extends A {}"),
    newer: params("a: B; c: C", "interface A { x: string } interface B extends A {} interface C extends A {}"),
    expected: ["member-required A.x"],
  },
  "members by another base": {
    older: params("a: B", "interface A { x: string; y?: number } interface B {}"),
    newer: params("a: B", "interface A { x: string; y?: number } interface B extends A {}"),
    expected: ["member-added-required B.x", "extends-changed B", "member-added B.y"],
  },
  "an object gets a name": {
    older: params("a: { x: string }"),
    newer: params("a: A", "interface A { x: string }"),
    expected: ["type-restated Params.a", "definition-added A"],
  },
  "an object gets a name and a member": {
    older: params("a: { x: string }"),
    newer: params("a: A", "interface A { x: string; y: number }"),
    expected: ["member-added-required Params.a.y", "definition-added A"],
  },
  "wider, narrower, other": {
    older: params("a: string; b: unknown; c: string; d: number[]", "interface S {}"),
    newer: params("a: unknown; b: string; c: number; d: string[]", "interface S {}"),
    expected: ["type-widened Params.a", "type-narrowed Params.b", "type-changed Params.c", "type-changed Params.d[]"],
  },
  bounds: {
    older: params("\n/** @minimum 0 */\na: number; b: string[]"),
    newer: params("a: number; \n/** @maxItems 3 */\nb: string[]"),
    expected: ["type-widened Params.a", "type-narrowed Params.b"],
  },
  "a format": {
    older: params("\n/** @format uri */\na: string"),
    newer: params("\n/** @format byte */\na: string"),
    expected: ["format-changed Params.a"],
  },
  "values of a closed text": {
    older: params('a: "x" | "y"'),
    newer: params('a: "x" | "z"'),
    expected: ["enum-value-added Params.a", "enum-value-removed Params.a"],
  },
  "a text opens, another one closes": {
    older: params('a: "x" | "y"; b: "x" | "y" | string'),
    newer: params('a: "x" | "y" | string; b: "x" | "y"'),
    expected: ["enum-opened Params.a", "enum-closed Params.b"],
  },
  "a value of an open text": {
    older: params('a: "x" | "y" | string'),
    newer: params('a: "x" | "y" | "z" | string'),
    expected: ["enum-value-named Params.a"],
  },
  alternatives: {
    older: params("a: A | B", "interface A { a: string } interface B { b: string } interface C { c: string }"),
    newer: params("a: A | C", "interface A { a: string } interface B { b: string } interface C { c: string }"),
    expected: ["alternative-added Params.a", "alternative-removed Params.a"],
  },
  "one becomes several": {
    older: params("a: A", "interface A { a: string }"),
    newer: params("a: A | A[]", "interface A { a: string }"),
    expected: ["alternative-added Params.a"],
  },
  "an index": {
    older: params("a: A", "interface A { x?: string; [key: string]: unknown }"),
    newer: params("a: A", "interface A { x?: string }"),
    expected: ["index-removed A[key]"],
  },
  "a definition is new or gone": {
    older: params("", "interface A { a: string }"),
    newer: params("", "interface B { b: number; c: number }"),
    expected: ["definition-removed A", "definition-added B"],
  },
  "a definition has another name": {
    older: params("a: Old", "interface Old { x: string; y: number }"),
    newer: params("a: New", "interface New { x: string; y: number }"),
    expected: ["definition-renamed New"],
  },
  "a definition has another name and is changed": {
    older: params("a: Old", "interface Old { x: string; y: number; z: string }"),
    newer: params("a: New", "interface New { x: string; y: number; z?: string }"),
    expected: ["member-optional New.z", "definition-renamed New"],
  },
  "which of two is the new name cannot be told": {
    older: params("", "interface A { x: string; y: number }"),
    newer: params("", "interface B { x: string; y: number } interface C { x: string; y: number }"),
    expected: ["definition-removed A", "definition-added B", "definition-added C"],
  },
  "another kind of definition": {
    older: params("a: A", "interface A { x: string }"),
    newer: params("a: A", "type A = B | C; interface B { x: string } interface C { y: string }"),
    expected: ["type-widened A", "definition-kind-changed A", "definition-added B", "definition-added C"],
  },
  "params get a name": {
    older: base.replace("params: Params", "params: { a: string }"),
    newer: `${base.replace("params: Params", "params: DoRequestParams")} interface DoRequestParams { a: string }`,
    expected: ["params-named DoRequestParams"],
  },
  deprecations: {
    older: params("a?: A; b?: string", "\n/** @deprecated gone soon */\ninterface C {} interface A { x?: string }"),
    newer: params(
      "a?: A; \n/** @deprecated use a */\nb?: string",
      "interface C {} \n/** @deprecated use b */\ninterface A { x?: string }",
    ),
    expected: ["definition-deprecated A", "member-deprecated Params.b", "definition-undeprecated C"],
  },
  constants: {
    older: params("", "const ONE = 1; const TWO = 2;"),
    newer: params("", "const TWO = 22; const THREE = 3;"),
    expected: ["constant-changed TWO", "constant-removed ONE", "constant-added THREE"],
  },
  errors: {
    older: params("", "const A = -1; const B = -2; const C = -3; const D = -4;"),
    newer: params("", "const A = -11; const BB = -2; const D = -4; const E = -5;"),
    facts: [
      { errors: { "-4": { meaning: "D", spec } } },
      { errors: { "-4": { meaning: "D", httpStatus: 404, spec } } },
    ],
    expected: ["error-removed C", "error-renumbered A", "error-status-changed D", "error-renamed BB", "error-added E"],
  },
  capabilities: {
    older: base + params(""),
    newer: base.replace("fast?: boolean", "slow?: boolean") + params(""),
    facts: [{}, { capabilities: { client: { slow: { spec } } } }],
    expected: ["capability-removed client.fast", "capability-added client.slow"],
  },
  "a capability is needed": {
    older: params(""),
    newer: params("a?: string"),
    facts: [
      {},
      {
        methods: {
          client: { do: { capability: "client.fast", when: [{ member: "a", capability: "client.fast" }], spec } },
        },
      },
    ],
    expected: ["capability-needed client do", "capability-needed client do", "member-added Params.a"],
  },
  "a capability is not needed": {
    older: params(""),
    newer: params(""),
    facts: [{ methods: { client: { do: { capability: "client.fast", spec } } } }, {}],
    expected: ["capability-not-needed client do"],
  },
  limits: {
    older: params("a: string[]; b: string"),
    newer: params("a: string[]; b: string"),
    facts: [{ limits: { "Params.a": { maxItems: 3, spec } } }, { limits: { "Params.b": { maxLength: 3, spec } } }],
    expected: ["limit-changed Params.a", "limit-changed Params.b"],
  },
  "a limit moves into the schema": {
    older: params("a: string[]"),
    newer: params("\n/** @maxItems 3 */\na: string[]"),
    facts: [{ limits: { "Params.a": { maxItems: 3, spec } } }, {}],
    expected: ["type-narrowed Params.a"],
  },
  defaults: {
    older: params("a?: boolean"),
    newer: params("a?: boolean"),
    facts: [{ defaults: { "Params.a": { value: true, spec } } }, { defaults: { "Params.a": { value: false, spec } } }],
    expected: ["default-changed Params.a"],
  },
  "keys of _meta": {
    older: params(""),
    newer: params(""),
    facts: [{ metaKeys: { one: { spec } } }, { metaKeys: { two: { spec } } }],
    expected: ['meta-key-removed _meta["one"]', 'meta-key-added _meta["two"]'],
  },
  "batches are allowed": {
    older: params(""),
    newer: params(""),
    facts: [stated("batch", false), stated("batch", true)],
    expected: ["batching-allowed profile.batch"],
  },
  "batches are forbidden": {
    older: params(""),
    newer: params(""),
    facts: [stated("batch", true), stated("batch", false)],
    expected: ["batching-forbidden profile.batch"],
  },
  "connections open in another way": {
    older: params(""),
    newer: params(""),
    facts: [stated("opening", "handshake"), stated("opening", "stateless")],
    expected: ["opening-changed profile.opening"],
  },
  behaviour: {
    older: params(""),
    newer: params(""),
    facts: [stated("session", true), stated("session", false)],
    expected: ["behaviour-changed profile.session"],
  },
  "behaviour that one revision does not state": {
    older: params(""),
    newer: params(""),
    facts: [{}, { profile: Object.fromEntries(Object.entries(profile).filter(([field]) => field !== "session")) }],
    expected: ["behaviour-unstated profile.session"],
  },
  "a rule of authorization": {
    older: params(""),
    newer: params(""),
    facts: [
      authorization({ serverMetadata: { value: ["origin"], spec }, defaultEndpoints: { value: null, spec } }),
      authorization({ serverMetadata: { value: ["oauth"], spec }, defaultEndpoints: { value: null, spec } }),
    ],
    expected: ["authorization-changed authorization.serverMetadata"],
  },
  "a rule of authorization that one revision does not state": {
    older: params(""),
    newer: params(""),
    facts: [authorization({}), authorization({ issuerParameter: { value: true, spec } })],
    expected: ["authorization-unstated authorization.issuerParameter"],
  },
  "authorization that one revision does not define": {
    older: params(""),
    newer: params(""),
    facts: [{}, authorization({})],
    expected: [],
  },
  "a method is new, another one gone": {
    older: `${base} ${params("")} interface OldRequest { method: "old" } interface OldResult {} type ServerRequest = OldRequest;`,
    newer: `${base} ${params("")} interface NewRequest { method: "new" } interface NewResult {} type ServerRequest = NewRequest;`,
    expected: [
      "method-removed server old",
      "definition-removed OldRequest",
      "definition-removed OldResult",
      "role-union-changed ServerRequest",
      "method-added server new",
      "definition-added NewRequest",
      "definition-added NewResult",
    ],
  },
  "the other side sends a method, too": {
    older: base + params(""),
    newer: `${base} ${params("")} type ServerRequest = DoRequest;`,
    facts: [{}, { methods: { ...methods, server: { do: { capability: null, spec } } } }],
    expected: ["method-sender-added server do", "definition-added ServerRequest"],
  },
  "one of two sides still sends a method": {
    older: `${base} ${params("")} type ServerRequest = DoRequest;`,
    newer: base + params(""),
    facts: [{ methods: { ...methods, server: { do: { capability: null, spec } } } }, {}],
    expected: ["method-sender-removed server do", "definition-removed ServerRequest"],
  },
  "params must come, or need not": {
    older: `${base} ${params("")} interface AnyRequest { method: "any"; params?: Params } interface AnyResult {} type ServerRequest = AnyRequest;`,
    newer: `${base.replace("params: Params", "params?: Params")} ${params("")} interface AnyRequest { method: "any"; params: Params } interface AnyResult {} type ServerRequest = AnyRequest;`,
    expected: [
      "params-required server any",
      "params-optional client do",
      "member-required AnyRequest.params",
      "member-optional DoRequest.params",
    ],
  },
  "params and results of other types": {
    older: `${base} ${params("a: string")} interface Other { a: string; b?: string }`,
    newer: `${base.replace("params: Params", "params: Other").replace("interface DoResult { done?: boolean }", "")} ${params("a: string")} interface Other { a: string; b?: string } interface Changed { done?: boolean }`,
    facts: [{}, { results: { DoRequest: { result: "Changed", spec } } }],
    expected: [
      "params-type-changed client do",
      "result-type-changed client do",
      "definition-removed DoResult",
      "definition-added Changed",
      "member-added DoRequest.params.b",
    ],
  },
  "a request is carried inside results": {
    older: onWire,
    newer: inResult,
    facts: [asked, carried],
    expected: [
      "method-in-band server ask",
      "definition-removed ServerRequest",
      "definition-added Answer",
      "definition-added Ask",
    ],
  },
  "a request leaves results": {
    older: inResult,
    newer: onWire,
    facts: [carried, asked],
    expected: [
      "method-on-wire server ask",
      "definition-removed Answer",
      "definition-removed Ask",
      "definition-added ServerRequest",
    ],
  },
  "a result has an alternative": {
    older: `${base} ${params("")} interface Later { id: string }`,
    newer: `${base} ${params("later?: boolean")} interface Later { id: string }`,
    facts: [
      {},
      {
        methods: {
          client: {
            do: { capability: null, alternative: { type: "Later", member: "id", onlyWith: "later" }, spec },
          },
        },
      },
    ],
    expected: ["result-alternative-added client do", "member-added Params.later"],
  },
  "a request opens a stream and is routed": {
    older: `${base} ${params("a: string")} interface Seen { method: "seen" } type ServerNotification = Seen;`,
    newer: `${base} ${params("a: string")} interface Seen { method: "seen" } type ServerNotification = Seen;`,
    facts: [
      {},
      { methods: { client: { do: { capability: null, stream: { acknowledged: "seen" }, routedBy: "a", spec } } } },
    ],
    expected: ["stream-opened client do", "routing-changed client do"],
  },
  envelopes: {
    older: `${base} ${params("")} interface Ask { jsonrpc: "2.0"; id: string } interface Tell { jsonrpc: "2.0" } type Wire = Ask | Tell;`,
    newer: `${base} ${params("")} interface Ask { jsonrpc: "2.0"; id: string } interface Tell { jsonrpc: "2.0" } type Wire = Ask | Tell | Ask[];`,
    expected: ["envelope-changed Wire"],
  },
  "a message lists its envelope": {
    older: `${base} ${params("")} interface Ask { jsonrpc: "2.0"; id: string } interface Tell { jsonrpc: "2.0" } type Wire = Ask | Tell;`,
    newer: `${base.replace("interface DoRequest {", "interface DoRequest extends Ask {")} ${params("")} interface Ask { jsonrpc: "2.0"; id: string } interface Tell { jsonrpc: "2.0" } type Wire = Ask | Tell;`,
    expected: ["extends-changed DoRequest", "envelope-declared DoRequest.id", "envelope-declared DoRequest.jsonrpc"],
  },
};

describe("changes are found, and nothing else", () => {
  test.each(Object.entries(table))("%s", (_name, { older, newer, facts, expected }) => {
    expect(found(older, newer, facts).map(({ rule, at }) => `${rule} ${at}`)).toEqual(expected);
  });
});

test("ids are unique, and texts say what they stand for", () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  const all = Object.values(table).flatMap(({ older, newer, facts }) => found(older, newer, facts));
  const texts = all.flatMap(({ message, receiver, sender, source, hint }) => [message, receiver, sender, source, hint]);
  expect(texts.filter((text) => /\{\w+\}/.test(text) || text === "")).toEqual([]);
});

test("every rule has a case, here or in the steps between revisions", () => {
  const cases = new Set(Object.values(table).flatMap(({ expected }) => expected.map((one) => one.split(" ")[0])));
  const elsewhere = ["result-alternative-removed", "role-union-changed", "role-union-extended", "result-tag-changed"];
  expect(rules.map(({ id }) => id).filter((id) => !cases.has(id) && !elsewhere.includes(id))).toEqual([]);
});
