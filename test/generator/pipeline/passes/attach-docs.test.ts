import { describe, expect, test } from "vitest";
import type { OverlayFile } from "../../../../generator/shared/model/overlay.js";
import { build, ping, pingMethods, spec } from "./build.js";

const methods = pingMethods;

describe("a definition is linked to its section", () => {
  test.each<[what: string, sections: NonNullable<OverlayFile["sections"]>, expected: string | undefined]>([
    ["by its name", { page: ["FooThing"], other: ["Ping*"] }, "https://s/page"],
    ["by the beginning of its name", { page: ["Foo*"] }, "https://s/page"],
    ["by its name rather than by a beginning", { page: ["FooThing"], early: ["FooT*"] }, "https://s/page"],
    ["by the longest beginning", { early: ["F*"], page: ["FooT*"], late: ["Foo*", "Ping*"] }, "https://s/page"],
    ["or not at all", { early: ["Ping*"] }, undefined],
  ])("%s", (_, sections, expected) => {
    const { model } = build(`${ping} interface FooThing {} interface FooT {} interface Foo {} interface F {}`, {
      own: { specification: "https://s/", sections, methods },
    });
    expect(model.definitions.find(({ name }) => name === "FooThing")?.link).toBe(expected);
  });
});

describe("a deprecation", () => {
  const cover = (...covers: string[]): OverlayFile => ({
    methods,
    deprecated: { foo: { since: "r1", removalNotBefore: "2030-01-01", instead: "Use bar.", covers, spec } },
  });
  const full = { text: "Use bar.", since: "r1", removalNotBefore: "2030-01-01" };
  const deprecations = (schema: string, own: OverlayFile) => {
    const { model, findings } = build(`${ping} ${schema}`, { own });
    const found: Record<string, unknown> = {};
    for (const definition of model.definitions) {
      if (definition.deprecated) found[definition.name] = definition.deprecated;
      if (definition.kind === "struct")
        for (const member of definition.members)
          if (member.deprecated) found[`${definition.name}.${member.name}`] = member.deprecated;
    }
    return { found, findings };
  };

  test.each<[what: string, schema: string, own: OverlayFile, expected: object]>([
    ["covers a type", "interface Foo {}", cover("Foo"), { Foo: full }],
    [
      "covers types by the beginning of their names",
      "interface Foo {} type FooBar = string; interface Bar {}",
      cover("Foo*"),
      { Foo: full, FooBar: full },
    ],
    ["covers a member", "interface Foo { a: 1; b: 2 }", cover("Foo.a"), { "Foo.a": full }],
    [
      "covers the inherited copies of a member",
      "interface Foo { a: 1 } interface Bar extends Foo {}",
      cover("Foo.a"),
      { "Foo.a": full, "Bar.a": full },
    ],
    [
      "takes its text from the schema if there is one",
      "\n/** @deprecated Use baz. */ interface Foo {}",
      cover("Foo"),
      { Foo: { ...full, text: "Use baz." } },
    ],
    [
      "takes its text from the overlay if the schema has none",
      "interface Foo {\n /** @deprecated */\n a: 1 }",
      cover("Foo.a"),
      { "Foo.a": full },
    ],
    [
      "needs no overlay if the schema names the replacement",
      "interface Foo {\n /** @deprecated Use b. */\n a: 1 }",
      { methods },
      { "Foo.a": { text: "Use b." } },
    ],
  ])("%s", (_, schema, own, expected) => expect(deprecations(schema, own)).toEqual({ found: expected, findings: [] }));

  test("without any text is a finding with complete output", () => {
    expect(deprecations("\n/** @deprecated */\ninterface Foo {\n /** @deprecated */\n a: 1 }", { methods })).toEqual({
      found: { Foo: { text: "Deprecated." }, "Foo.a": { text: "Deprecated." } },
      findings: [
        "s.ts:3:11 deprecation-unstated: Foo is deprecated, but its replacement is not stated",
        "s.ts:3:11 deprecation-unstated: Foo.a is deprecated, but its replacement is not stated",
      ],
    });
  });

  test("of a message is that of its method", () => {
    expect(build(ping, { own: { ...cover("PingRequest") } }).model.requests[0]?.deprecated).toEqual(full);
  });
});
