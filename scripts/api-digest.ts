import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import ts from "typescript";

/**
 * Writes the API of a built package for models that write code: `dist/llms.txt` lists its entries, and `dist/llms/` has a file per entry, with
 * the declarations of all that it exports. A declaration is in one file only; the others name that file.
 */
export function writeApiDigest(folder: string): void {
  const { name, description, exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  const dist = join(folder, "dist");
  const entries = Object.entries(exports).flatMap(([subpath, target]) =>
    typeof target === "string" ? [] : [{ subpath, types: join(folder, target.types) }],
  );
  const program = ts.createProgram(
    entries.map(({ types }) => types),
    { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ESNext, noLib: true, types: [], skipLibCheck: true },
  );
  // The main entry exports parts of the others.
  const inOrder = [...entries].sort((a, b) => Number(a.subpath === ".") - Number(b.subpath === "."));
  const fileByDeclaration = new Map<string, string>();
  const digests = inOrder.map(({ subpath, types }) => digestOf(program, types, dist, subpath, fileByDeclaration));
  rmSync(join(dist, "llms"), { recursive: true, force: true });
  mkdirSync(join(dist, "llms"));
  for (const digest of digests) writeFileSync(join(dist, "llms", digest.file), printDigest(name, digest));
  writeFileSync(join(dist, "llms.txt"), printIndex(name, description, digests));
}

interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

interface Digest {
  readonly subpath: string;
  readonly file: string;
  /** The functions, classes and constants. */
  readonly values: readonly string[];
  readonly declarations: readonly string[];
  /** The names that are declared in the file of another entry, by that file. */
  readonly elsewhere: ReadonlyMap<string, readonly string[]>;
  /** The names that other packages declare. */
  readonly foreign: readonly string[];
}

function digestOf(
  program: ts.Program,
  types: string,
  dist: string,
  subpath: string,
  fileByDeclaration: Map<string, string>,
): Digest {
  const source = program.getSourceFile(types);
  if (!source) throw new Error(`${types} is missing: run npm run typecheck first`);
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(source);
  const file = `${subpath === "." ? "index" : subpath.slice(2).replaceAll("/", "-")}.txt`;
  const values: string[] = [];
  const declarations: string[] = [];
  const elsewhere = new Map<string, string[]>();
  const foreign: string[] = [];
  for (const exported of module ? checker.getExportsOfModule(module) : []) {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const own = (symbol.declarations ?? []).filter((one) => one.getSourceFile().fileName.startsWith(dist + sep));
    const [first] = own;
    if (!first) {
      foreign.push(exported.name);
      continue;
    }
    if (symbol.flags & ts.SymbolFlags.Value) values.push(exported.name);
    const key = `${first.getSourceFile().fileName}:${first.pos} ${exported.name}`;
    const there = fileByDeclaration.get(key);
    if (there !== undefined) elsewhere.set(there, [...(elsewhere.get(there) ?? []), exported.name]);
    else {
      fileByDeclaration.set(key, file);
      declarations.push(...new Set(own.map(print)));
    }
  }
  return { subpath, file, values: values.sort(), declarations, elsewhere, foreign: shorten(foreign) };
}

/** Entries that export a whole revision name no single type of it. */
function shorten(foreign: readonly string[]): readonly string[] {
  return foreign.length > 100
    ? ["all types, predicates and constants of its newest revision"]
    : foreign.toSorted((a, b) => (a < b ? -1 : 1));
}

/** A declaration as published, without private members. */
function print(declaration: ts.Declaration): string {
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  return statement
    .getFullText()
    .trim()
    .replace(/\n\t*#private;/g, "")
    .replace(/(?:\n[\t ]*\*)+ \*\//g, " */");
}

function printDigest(name: string, { subpath, declarations, elsewhere, foreign }: Digest): string {
  return [
    `// import { … } from "${name}${subpath.slice(1)}";`,
    ...Array.from(elsewhere, ([other, names]) => `// Also exports what ${other} declares: ${names.join(", ")}`),
    ...(foreign.length > 0 ? [`// Also exports from @mcpwright/protocol: ${foreign.join(", ")}`] : []),
    ...declarations,
    "",
  ].join("\n\n");
}

function printIndex(name: string, description: string, digests: readonly Digest[]): string {
  return [
    `# ${name}`,
    `> ${description}. README.md of this package has a server and a client.`,
    "Import each name from the entry that exports it. The file of an entry, below llms/, has its declarations with their documentation.",
    digests
      .map(({ subpath, file, values }) => {
        const names = values.length > 0 ? `: ${values.join(", ")}` : ": types";
        return `- "${name}${subpath.slice(1)}" (llms/${file})${names}`;
      })
      .join("\n"),
    "",
  ].join("\n\n");
}
