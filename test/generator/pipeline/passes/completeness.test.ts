import { describe, expect, test } from "vitest";
import { visitDefinition } from "../../../../generator/shared/model/definitions.js";
import { readRevision, revisions } from "./revision.js";

test("the known revisions, oldest first", () => {
  expect(revisions).toEqual(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]);
});

describe.each(revisions)("%s", async (revision) => {
  const { module, model, findings } = await readRevision(revision);
  const declared = (kinds: readonly string[]): string[] =>
    module.declarations.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);

  test("every interface and alias becomes a definition, in order; all others are derived", () => {
    const own = model.definitions.filter(({ derivedFrom }) => derivedFrom === undefined);
    expect(own.map(({ name }) => name)).toEqual(declared(["interface", "alias"]));
  });

  test("every constant stays a constant with its value", () => {
    const values = module.declarations.flatMap((found) =>
      found.kind === "constant" ? [[found.name, found.value]] : [],
    );
    expect(model.constants.map(({ name, value }) => [name, value])).toEqual(values);
    expect(values.length).toBeGreaterThan(5);
  });

  test("no member is lost", () => {
    const missing = module.declarations.flatMap((declaration) => {
      if (declaration.kind !== "interface") return [];
      const found = model.definitions.find(({ name }) => name === declaration.name);
      const names = found?.kind === "struct" ? found.members.map(({ name }) => name) : [];
      return declaration.members
        .filter(({ name }) => !names.includes(name))
        .map(({ name }) => `${declaration.name}.${name}`);
    });
    expect(missing).toEqual([]);
  });

  test("every reference names a definition", () => {
    const names = new Set(model.definitions.map(({ name }) => name));
    const dangling = new Set<string>();
    for (const definition of model.definitions) {
      visitDefinition(definition, (type) => {
        if (type.kind === "reference" && !names.has(type.name)) dangling.add(type.name);
      });
    }
    expect([...dangling]).toEqual([]);
  });

  test("derived params belong to a message that references them", () => {
    const derived = model.definitions.filter(({ derivedFrom }) => derivedFrom !== undefined);
    expect(derived.map(({ name, derivedFrom }) => name === `${derivedFrom}Params`)).toEqual(derived.map(() => true));
  });

  test("there are no findings", () => expect(findings).toEqual([]));

  test("the model is plain JSON", () => expect(JSON.parse(JSON.stringify(model))).toEqual(model));
});
