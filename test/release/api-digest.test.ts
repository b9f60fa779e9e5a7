/** The API in the package for models that write code: every entry and every name of it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as protocol from "@mcpwright/protocol/2026-07-28";
import { expect, test } from "vitest";
import { packageRoot } from "../../generator/shared/package-root.js";

const runtime = join(packageRoot().folder, "runtime");
const index = readFileSync(join(runtime, "dist/llms.txt"), "utf8");
const { exports } = JSON.parse(readFileSync(join(runtime, "package.json"), "utf8")) as { exports: object };
const entries = Object.keys(exports).filter((subpath) => subpath !== "./package.json");

test("the index lists every entry, with a file", () => {
  const listed = [...index.matchAll(/^- "@mcpwright\/runtime([^"]*)" \(llms\/([\w-]+\.txt)\)/gm)];
  expect(listed.map(([, subpath = ""]) => `.${subpath}`).sort()).toEqual([...entries].sort());
});

test.each(entries)("%s: every name that it exports is declared, or in the file that is named", async (subpath) => {
  const specifier = `@mcpwright/runtime${subpath.slice(1)}`;
  const [, file = ""] = new RegExp(`^- "${specifier}" \\(llms/(.+?)\\)`, "m").exec(index) ?? [];
  const text = (name: string): string => readFileSync(join(runtime, "dist/llms", name), "utf8");
  const own = text(file);
  expect(own.startsWith(`// import { … } from "${specifier}";\n`)).toBe(true);
  const declares = (where: string, name: string): boolean =>
    new RegExp(`\\b(function|class|const|interface|type|,)\\s+${name}\\b`).test(where);
  const others = [...own.matchAll(/^\/\/ Also exports what ([\w-]+\.txt) declares: (.+)$/gm)];
  for (const name of Object.keys((await import(specifier)) as object)) {
    const other = others.find(([, , names = ""]) => names.split(", ").includes(name))?.[1];
    const isForeign =
      new RegExp(`^// Also exports from @mcpwright/protocol: .*\\b${name}\\b`, "m").test(own) ||
      (own.includes("protocol: all types, predicates and constants") && name in protocol);
    expect(isForeign || declares(other === undefined ? own : text(other), name), name).toBe(true);
  }
});

test("examples and documentation are in it, private members are not", () => {
  const server = readFileSync(join(runtime, "dist/llms/server.txt"), "utf8");
  expect(server).toContain('server.registerTool("greet"');
  expect(server).toMatch(/@throws SdkError/);
  expect(server).not.toMatch(/#private|sourceMappingURL/);
});
