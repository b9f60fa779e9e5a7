/** Names that collide are reported with their position, and the overlay can rename them. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { generate } from "../../../../generator/pipeline/generate.js";
import type { OverlayFile } from "../../../../generator/shared/model/overlay.js";
import { DiagnosticError } from "../../../../generator/shared/diagnostics/diagnostic.js";
import { put, sandbox, treeOf } from "../../shared/files/sandbox.js";
import { build, profile, spec } from "./build.js";

const none = { capability: null, spec };
const methods = { client: { do: none, "foo/bar": none, foo_bar: none } };
const base = 'interface DoRequest { method: "do"; params: Params } interface DoResult { a?: Params }';
const union = "type ClientRequest = DoRequest;";

interface Case {
  readonly schema: string;
  /** Line of the declaration, and the colliding name. */
  readonly collides: string;
  readonly names: NonNullable<OverlayFile["names"]>;
  /** The file and its content after renaming. */
  readonly gives: readonly [file: string, text: string];
}

const cases: Readonly<Record<string, Case>> = {
  "a type named like a predicate": {
    schema: `${base}\ninterface Params {}\ntype isParams = string;\n${union}`,
    collides: "3: isParams",
    names: { isParams: { name: "ParamsName" } },
    gives: ["r/types.ts", "export type ParamsName = string;"],
  },
  "a constant named like the version": {
    schema: `${base}\ninterface Params { v: typeof PROTOCOL_VERSION }\nconst PROTOCOL_VERSION = "9";\n${union}`,
    collides: "3: PROTOCOL_VERSION",
    names: { PROTOCOL_VERSION: { name: "SCHEMA_VERSION" } },
    gives: ["r/constants.ts", 'export const SCHEMA_VERSION = "9";'],
  },
  "two methods that differ only in a character that is not allowed in a name": {
    schema: `${base}\ninterface Params {}\ninterface OneRequest { method: "foo/bar" } interface OneResult {}\ninterface TwoRequest { method: "foo_bar" } interface TwoResult {}\ntype ClientRequest = DoRequest | OneRequest | TwoRequest;`,
    collides: "4: FOO_BAR",
    names: { foo_bar: { name: "FOO_BAR_2" } },
    gives: ["names.ts", 'export const FOO_BAR_2 = "foo_bar";'],
  },
};

describe.each(Object.entries(cases))("%s", (_, { schema, collides, names, gives }) => {
  const folder = sandbox();
  const file = join(folder, "schema.ts");
  const client = schema.includes("foo_bar") ? methods.client : { do: none };
  const run = (more: OverlayFile) => {
    put(folder, { "schema.ts": schema, "overlay.json": JSON.stringify({ methods: { client }, profile, ...more }) });
    return generate({ schema: file, revision: "r", out: join(folder, "out") });
  };

  test("is reported with its position", async () => {
    const error: unknown = await run({}).catch((thrown: unknown) => thrown);
    const found = error instanceof DiagnosticError ? error.diagnostics : [];
    expect(found.map(({ id, span, message }) => `${id} ${span?.line}: ${message.split(" ")[3]}`)).toEqual([
      `name-collision ${collides}`,
    ]);
  });

  test("is renamed by the overlay", async () => {
    await run({ names });
    expect(treeOf(join(folder, "out"))[gives[0]]).toContain(gives[1]);
  });
});

test.each([
  ["a type", "type Name = string;", { Name: { name: "profile" } }, "profile"],
  ["a reference", `type Name = string; interface Other { n: Name }`, { Name: { name: "isParams" } }, "isParams"],
  ["a constant", 'const NAME = "9";', { NAME: { name: "PROTOCOL_VERSION" } }, "PROTOCOL_VERSION"],
  [
    "a request, whose method collides",
    'interface Foo { method: "do_" } interface FooResult {}\ntype ServerRequest = Foo;',
    { Foo: { name: "FooRequest" }, do_: { name: "DO" } },
    "DO",
  ],
])("reports a name in the overlay that is already used, with its position: %s", async (_, more, names, name) => {
  const folder = sandbox();
  const file = join(folder, "schema.ts");
  const overlay = {
    methods: { client: { do: none }, ...(more.includes("Foo") && { server: { do_: none } }) },
    profile,
    names,
  };
  put(folder, {
    "schema.ts": `${base}\ninterface Params {}\n${union}\n${more}`,
    "overlay.json": JSON.stringify(overlay),
  });
  const error: unknown = await generate({ schema: file, revision: "r", out: join(folder, "out") }).catch(
    (thrown: unknown) => thrown,
  );
  const found = error instanceof DiagnosticError ? error.diagnostics : [];
  expect(found.map(({ id, span, message }) => `${id} ${span?.file}:${span?.line}: ${message.split(" ")[3]}`)).toEqual([
    `name-collision ${file}:4: ${name}`,
  ]);
});

test("renames references too, and reports entries that match nothing", () => {
  const schema = `${base}\ninterface Params {}\n${union}`;
  const own = { methods: { client: { do: none } }, names: { Params: { name: "DoParams" } } };
  const { model } = build(schema, { own });
  expect(model.requests.map(({ params }) => params)).toEqual(["DoParams"]);
  expect(model.definitions.map(({ name }) => name)).toContain("DoParams");
  expect(() => build(schema, { own: { ...own, names: { Nothing: { name: "Other" } } } })).toThrow(
    "names.Nothing matches nothing in the schema",
  );
});
