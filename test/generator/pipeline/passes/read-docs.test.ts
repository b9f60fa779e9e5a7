import { describe, expect, test } from "vitest";
import { readDocs } from "../../../../generator/pipeline/passes/read-docs.js";
import { marked } from "../../shared/diagnostics/marked.js";
import { problems } from "../../shared/diagnostics/problems.js";
import { build, ping } from "./build.js";

const revisions = ["r1", "r2", "r3"];

describe("a text is found by type, member and revision", () => {
  const docs = readDocs(
    JSON.stringify({
      A: { "": "Type.", m: { r1: "Old.", r3: "New." }, "m.n": "Inner.", late: { r2: "Late." } },
    }),
    "docs.json",
    revisions,
  );
  test.each<[type: string, path: string, revision: string, expected: string | undefined]>([
    ["A", "", "r1", "Type."],
    ["A", "", "r9", "Type."],
    ["A", "m", "r1", "Old."],
    ["A", "m", "r2", "Old."],
    ["A", "m", "r3", "New."],
    ["A", "m", "r4", "New."],
    ["A", "m.n", "r2", "Inner."],
    ["A", "late", "r1", undefined],
    ["A", "late", "r2", "Late."],
    ["A", "z", "r1", undefined],
    ["A", "constructor", "r1", undefined],
    ["B", "", "r1", undefined],
    ["constructor", "", "r1", undefined],
    ["constructor", "name", "r1", undefined],
  ])("%s %j in %s: %j", (type, path, revision, expected) => expect(docs.text(type, path, revision)).toBe(expected));
});

describe("the model is documented", () => {
  const docs = readDocs(
    JSON.stringify({
      A: { "": "Type A.", m: "Member m.", "o.p": "Inner p.", "l.q": "Item q." },
      B: { m: "B's own m." },
      C: { "": "Constant." },
      S: { "": "From docs." },
    }),
    "docs.json",
    revisions,
  );
  const { model } = build(
    `${ping} interface A { m: string; o: { p: 1 }; l: { q: 1 }[] } interface B extends A {} interface D extends A {} const C = 1;\n/** From the schema. */ type S = string;`,
    { docs },
  );
  const definition = (name: string): object | undefined => model.definitions.find((found) => found.name === name);

  test("types, members and members of members", () => {
    expect(definition("A")).toMatchObject({
      text: "Type A.",
      members: [
        { name: "m", text: "Member m." },
        { name: "o", type: { members: [{ name: "p", text: "Inner p." }] } },
        { name: "l", type: { items: { members: [{ name: "q", text: "Item q." }] } } },
      ],
    });
  });
  test("an inherited member from its own type first, then from the declaring one", () => {
    expect(definition("B")).toMatchObject({ members: [{ name: "m", text: "B's own m." }, {}, {}] });
    expect(definition("D")).toMatchObject({ members: [{ name: "m", text: "Member m." }, {}, {}] });
  });
  test("constants", () => expect(model.constants).toEqual([{ name: "C", value: 1, text: "Constant." }]));
  test("unless the schema has a text", () => expect(definition("S")).toMatchObject({ text: "From the schema." }));
});

describe("rejects docs.json with another structure", () => {
  test.each<[source: string, reason: string]>([
    ["▸[]", "expected an object"],
    ['{ "A": ▸"text" }', "A: expected an object"],
    ['{ "A": { "m": ▸1 } }', "A > m: expected a string, or strings by revision"],
    ['{ "A": { "m": ▸{ "r1": 1 } } }', "A > m: expected a string, or strings by revision"],
    ['{ "A": ▸}', "Unexpected token"],
  ])("%s", (source, reason) => {
    const { text, place } = marked(source);
    const [found = ""] = problems(() => readDocs(text, "docs.json", revisions));
    expect(found.startsWith(`docs.json:${place} docs-malformed: `)).toBe(true);
    expect(found).toContain(reason);
  });
});
