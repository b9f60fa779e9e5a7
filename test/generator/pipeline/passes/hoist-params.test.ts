import { describe, expect, test } from "vitest";
import { problems } from "../../shared/diagnostics/problems.js";
import { build, spec } from "./build.js";
import { showDefinition } from "./show.js";

const older = "interface RequestParams { _meta?: object } interface NotificationParams { _meta?: { x: 1 } }";
const commonParams = { request: { type: "RequestParams", spec }, notification: { type: "NotificationParams", spec } };

/** The named definitions of the model, one per line. */
function shown(schema: string, ...names: string[]): (string | undefined)[] {
  const { model } = build(schema, { own: { commonParams } });
  return names.map((name) => {
    const found = model.definitions.find((definition) => definition.name === name);
    return found && showDefinition(found) + (found.derivedFrom === undefined ? "" : ` from ${found.derivedFrom}`);
  });
}

describe("inline params of a message", () => {
  const schema = `${older}
    interface FooRequest { method: "foo"; params: { a: string; b?: number } } interface FooResult {}
    interface Base { method: string } interface BarNotification extends Base { method: "bar"; params?: { [key: string]: unknown } }
    type ClientRequest = FooRequest; type ServerNotification = BarNotification;`;

  test("get the name of later revisions, and the members that every message carries", () => {
    expect(shown(schema, "FooRequest", "FooRequestParams", "BarNotification", "BarNotificationParams")).toEqual([
      '{ method: "foo"; params: FooRequestParams }',
      "{ RequestParams#_meta?: object; a: string; b?: number } from FooRequest",
      '{ method: "bar"; params?: BarNotificationParams }',
      "{ NotificationParams#_meta?: { x: 1 }; [key]: unknown } from BarNotification",
    ]);
  });

  test("follow the message that declares them", () => {
    const names = build(schema, { own: { commonParams } }).model.definitions.map(({ name }) => name);
    expect(names.slice(names.indexOf("FooRequest"), names.indexOf("FooRequest") + 3)).toEqual([
      "FooRequest",
      "FooRequestParams",
      "FooResult",
    ]);
  });

  test.each<[what: string, schema: string, params: string | undefined]>([
    [
      "their own member takes precedence over the common one",
      "params: { _meta: string }",
      "{ _meta: string } from FooRequest",
    ],
    [
      "intersections are params too",
      "params: RequestParams & { a: 1 }",
      "{ RequestParams#_meta?: object; a: 1 } from FooRequest",
    ],
    [
      "the members that Omit leaves are params too",
      'params: Omit<Two, "a"> } interface Two { a: 1; b: 2',
      "{ RequestParams#_meta?: object; b: 2 } from FooRequest",
    ],
    [
      "the members that Pick selects are params too",
      'params: Pick<Two, "b"> } interface Two { a: 1; b: 2',
      "{ RequestParams#_meta?: object; b: 2 } from FooRequest",
    ],
    ["a named type is left alone", "params: RequestParams", undefined],
    ["a map is left alone", "params: Record<string, unknown>", undefined],
    ["no params", "", undefined],
  ])("%s", (_, members, params) => {
    const text = `${older} interface FooRequest { method: "foo"; ${members} } interface FooResult {} type ClientRequest = FooRequest;`;
    expect(
      shown(
        `${text} type ServerNotification = FooNotification; interface FooNotification { method: "n"; params?: {} }`,
        "FooRequestParams",
      ),
    ).toEqual([params]);
  });

  test("of a message that is an intersection get a name, too", () => {
    const text = `${older} interface Base { method: string; params?: { [key: string]: any } } interface FooResult {}
      type FooRequest = Base & { method: "foo"; params: { a: 1 } }; type ClientRequest = FooRequest; type ServerNotification = FooNotification;
      interface FooNotification { method: "n"; params?: {} }`;
    expect(shown(text, "FooRequest", "FooRequestParams")).toEqual([
      '{ method: "foo"; params: FooRequestParams }',
      "{ RequestParams#_meta?: object; a: 1 } from FooRequest",
    ]);
  });

  test("of a type that is not a message stay inline, without the common members", () => {
    const text = `${schema} interface Other { method: string; params?: { z: 1 } }  interface Plain { params: { z: 1 } }`;
    expect(shown(text, "Other", "OtherParams", "Plain", "PlainParams")).toEqual([
      "{ method: string; params?: OtherParams }",
      "{ z: 1 } from Other",
      "{ params: { z: 1 } }",
      undefined,
    ]);
  });
});

test("rejects a name that is already used", () => {
  const schema =
    'interface FooRequest {\n  method: "foo";\n  params: { a: string };\n}\ninterface FooRequestParams {}\ninterface FooResult {}\ntype ClientRequest = FooRequest;';
  expect(problems(() => build(schema))).toEqual([
    "s.ts:3:3 name-collision: the derived name FooRequestParams is already declared",
  ]);
});

test("accepts a name that equals the params of a type that is not a message", () => {
  expect(
    shown(
      `${older} interface Foo { method: string; params: { a: 1 } } interface FooParams { b: 1 } interface PingRequest { method: "ping"; params?: { c: 1 } } interface PingResult {} type ClientRequest = PingRequest; interface N { method: "n"; params?: {} } type ServerNotification = N;`,
      "Foo",
      "FooParams",
    ),
  ).toEqual(["{ method: string; params: { a: 1 } }", "{ b: 1 }"]);
});
