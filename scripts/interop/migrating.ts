/** Checks that docs/reference/official-names.md lists every public name of the official SDK, and that its statements about ours are true. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ModuleKind, ModuleResolutionKind, Project } from "ts-morph";
import { modulesFolder, root } from "./paths.js";

/** The entries of the official SDK that the tables list; extensions and internals are not listed. */
const theirs = {
  server: [".", "./stdio", "./validators/ajv", "./validators/cf-worker"],
  client: [".", "./stdio", "./validators/ajv", "./validators/cf-worker"],
  node: ["."],
} as const;
const revisions = ["2026-07-28", "2025-11-25"];

/** The problems of the document. */
export function migratingProblems(): string[] {
  const text = readFileSync(join(root, "docs/reference/official-names.md"), "utf8");
  const rows = text
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split(" | ").map((cell) => cell.replace(/^\| | *\|$/g, "").trim()));
  const project = new Project({
    compilerOptions: { module: ModuleKind.NodeNext, moduleResolution: ModuleResolutionKind.NodeNext },
  });
  const exportsOf = (file: string): Set<string> =>
    new Set(project.addSourceFileAtPath(file).getExportedDeclarations().keys());
  const entriesOf = (folder: string, entries?: readonly string[]): Map<string, Set<string>> => {
    const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { exports: object };
    return new Map(
      Object.entries(exports).flatMap(([entry, target]: [string, unknown]) => {
        const types = (entries?.includes(entry) ?? true) ? typesOf(target) : undefined;
        return types === undefined ? [] : [[entry, exportsOf(join(folder, types))] as const];
      }),
    );
  };

  const ours = entriesOf(join(root, "runtime"));
  const protocol = new Set(revisions.flatMap((id) => [...exportsOf(join(root, `generated/dist/${id}/index.d.ts`))]));
  const wanted = new Set(
    Object.entries(theirs).flatMap(([name, entries]) =>
      [...entriesOf(join(modulesFolder, "@modelcontextprotocol", name), entries).values()].flatMap((names) => [
        ...names,
      ]),
    ),
  );
  const listed = new Map<string, number>();
  const problems: string[] = [];
  for (const [names = "", here = "", where = ""] of rows)
    for (const [, name = ""] of names.matchAll(/`(\w+)`/g)) {
      listed.set(name, (listed.get(name) ?? 0) + 1);
      if (!wanted.has(name)) problems.push(`${name} is listed, but the SDK does not export it`);
      const entry = /`@mcpwright\/runtime([\w/-]*)`/.exec(where)?.[1] ?? "";
      if (here === "same" && !ours.get(`.${entry}`)?.has(name))
        problems.push(`${name} is listed as the same, but @mcpwright/runtime${entry} does not export it`);
    }
  for (const [name, times] of listed) if (times > 1) problems.push(`${name} is listed ${times} times`);
  for (const name of wanted) if (!listed.has(name) && !protocol.has(name)) problems.push(`${name} is not listed`);
  return problems;
}

function typesOf(target: unknown): string | undefined {
  if (typeof target === "string") return /\.d\.m?ts$/.test(target) ? target : undefined;
  const { types, import: imported } = target as { readonly types?: string; readonly import?: unknown };
  return types ?? (imported === undefined ? undefined : typesOf(imported));
}
