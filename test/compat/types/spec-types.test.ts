import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as official from "@modelcontextprotocol/server";
import * as client from "@mcpwright/compat/client";
import * as server from "@mcpwright/compat/server";
import { describe, expect, test } from "vitest";

type Members = Readonly<Record<string, unknown>>;

const entries = [
  ["server", server],
  ["client", client],
] as const;

/** Counts the zod schemas that exist after an import, and after each of the given expressions. */
async function countSchemas(entry: string, ...expressions: string[]): Promise<number[]> {
  // Each schema of zod 4 defines this property of itself.
  const program = `
    const define = Object.defineProperty;
    let schemas = 0;
    Object.defineProperty = (target, key, descriptor) => {
      if (key === "_zod") schemas++;
      return define(target, key, descriptor);
    };
    const entry = await import(${JSON.stringify(entry)});
    const counts = [schemas];
    ${expressions.map((expression) => `entry.${expression}; counts.push(schemas);`).join("\n")}
    console.log(JSON.stringify(counts));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  return JSON.parse(stdout) as number[];
}

test.each(["server", "client"])("a program that imports %s builds schemas when it first uses one", async (entry) => {
  const [imported, preloaded, used] = await countSchemas(
    `@mcpwright/compat/${entry}`,
    "preloadSchemas()",
    "isSpecType.Tool({ name: 'a' })",
  );
  expect(imported).toBe(0);
  expect(preloaded).toBeGreaterThan(300);
  expect(used).toBe(preloaded);
});

test("a program that imports the schemas builds them", async () => {
  const [imported] = await countSchemas("@mcpwright/compat/core");
  expect(imported).toBeGreaterThan(300);
});

describe.each(entries)("the schemas and guards by name of %s", (_name, own) => {
  test.each(["specTypeSchemas", "isSpecType"] as const)("%s is a frozen object with the official names", (key) => {
    const ours = own[key] as Members;
    const theirs = official[key] as Members;
    expect(Object.keys(ours).sort()).toEqual(Object.keys(theirs).sort());
    expect(Object.isFrozen(ours)).toBe(true);
    expect(Object.getPrototypeOf(ours)).toBe(Object.prototype);
    expect("Tool" in ours).toBe(true);
    expect("Missing" in ours).toBe(false);
    expect(ours["Missing"]).toBeUndefined();
    expect(ours["Tool"]).toBe(ours["Tool"]);
    for (const change of [
      () => Object.assign(ours, { Tool: 1 }),
      () => Object.defineProperty(ours, "Other", { value: 1 }),
      () => delete (ours as { Tool?: unknown }).Tool,
    ])
      expect(change).toThrow(TypeError);
  });

  test("return what the official ones return", () => {
    const tool = { name: "a", inputSchema: { type: "object" }, other: 1 };
    for (const value of [tool, { name: "a" }, { ...tool, name: 7 }, undefined]) {
      const result = own.specTypeSchemas.Tool["~standard"].validate(value);
      const expected = official.specTypeSchemas.Tool["~standard"].validate(value);
      expect("value" in result ? result.value : undefined).toEqual("value" in expected ? expected.value : undefined);
      expect(own.isSpecType.Tool(value)).toBe(official.isSpecType.Tool(value));
    }
    expect(own.isSpecType.CallToolResult({})).toBe(official.isSpecType.CallToolResult({}));
    expect([tool, 7].filter(own.isSpecType.Tool)).toEqual([tool]);
  });
});

test.each([
  ["set", (names: object) => Reflect.set(names, "Tool", 1)],
  ["defineProperty", (names: object) => Reflect.defineProperty(names, "Tool", { value: 1 })],
  ["setPrototypeOf", (names: object) => Reflect.setPrototypeOf(names, null)],
])("%s as the first use changes nothing", async (_name, change) => {
  const { deferred } = await import("../../../compat/src/shared/deferred.js");
  const names = deferred(() => ({ Tool: 2 }));
  expect(change(names)).toBe(false);
  expect(names).toEqual({ Tool: 2 });
});
