import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Plugin, transformSync } from "esbuild";
import ts from "typescript";
import { revisions } from "../generated/revisions.js";

const generated = resolve(import.meta.dirname, "../generated");

/** The module of the predicates that several revisions share. It exists only in bundles. */
export const sharedModule = resolve(generated, "predicates.ts");

/**
 * Many predicates are the same in several revisions. The published package contains each of them once, in a module that all
 * revisions share. In the sources, each revision is complete.
 */
export function sharedPredicates(): Plugin {
  const modules = share(revisions.map((revision) => read(resolve(generated, revision, "validate.ts"))));
  return {
    name: "shared-predicates",
    setup(build) {
      build.onResolve({ filter: /[\\/]predicates\.(js|ts)$/ }, () => ({ path: sharedModule, sideEffects: false }));
      build.onLoad({ filter: /[\\/](validate|predicates)\.ts$/ }, ({ path }) => {
        const contents = modules.get(path);
        return contents === undefined ? undefined : { contents, loader: "js", resolveDir: dirname(path) };
      });
    },
  };
}

/** The JavaScript of a module of predicates. */
interface Source {
  readonly path: string;
  /** The names that it imports from the module of checks. */
  readonly imported: readonly string[];
  readonly predicates: readonly Predicate[];
}

interface Predicate {
  readonly id: string;
  readonly name: string;
  readonly isExported: boolean;
  readonly text: string;
  /** Its tokens after `function` and its name. A predicate that it calls or passes as an argument is represented by its id. */
  readonly tokens: readonly (string | { readonly predicate: string })[];
}

function read(path: string): Source {
  const { code } = transformSync(readFileSync(path, "utf8"), { loader: "ts", target: "node20" });
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
  const functions = file.statements.filter(ts.isFunctionDeclaration);
  const names = new Set(functions.map(nameOf));
  const id = (name: string): string => `${path}#${name}`;
  const imported = file.statements.filter(ts.isImportDeclaration).flatMap(({ importClause }) => {
    const bindings = importClause?.namedBindings;
    return bindings && ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : [];
  });
  const rest = file.statements.find((one) => !ts.isFunctionDeclaration(one) && !ts.isImportDeclaration(one));
  if (rest) throw new Error(`${path}: a module of predicates has only functions, not ${rest.getText(file)}`);

  const predicates = functions.map((one): Predicate => {
    const tokens: Predicate["tokens"][number][] = [];
    const visit = (node: ts.Node): void => {
      const children = node.getChildren(file);
      const text = node.getText(file);
      if (node === one.name || node === one.modifiers?.[0] || text === "") return;
      if (children.length > 0) children.forEach(visit);
      else if (ts.isIdentifier(node) && names.has(text) && ts.isCallExpression(node.parent))
        tokens.push({ predicate: id(text) });
      else tokens.push(text);
    };
    visit(one);
    const text = one.getText(file).replace(/^export /, "");
    return { id: id(nameOf(one)), name: nameOf(one), isExported: one.modifiers !== undefined, text, tokens };
  });
  return { path, imported, predicates };
}

function nameOf(one: ts.FunctionDeclaration): string {
  return one.name?.text ?? "";
}

/** The published JavaScript of the modules, by path. */
function share(sources: readonly Source[]): ReadonlyMap<string, string> {
  const all = new Map(sources.flatMap(({ predicates }) => predicates).map((one) => [one.id, one]));
  const classes = classesOf([...all.values()]);
  const shared = new Map<string, Predicate>();
  /** Adds a predicate and the predicates that it calls. */
  const include = (id: string): void => {
    const found = classes.get(id);
    const one = all.get(id);
    if (found === undefined || !one || shared.has(found)) return;
    shared.set(found, one);
    for (const token of one.tokens) if (typeof token !== "string") include(token.predicate);
  };
  const seen = new Set<string>();
  for (const [id, found] of classes) {
    if (seen.has(found)) include(id);
    seen.add(found);
  }
  const sharedName = (id: string): string | undefined => {
    const found = classes.get(id);
    return found !== undefined && shared.has(found) ? `p${found}` : undefined;
  };

  const texts = sources.map(({ path, imported, predicates }): [string, string] => {
    const takes = predicates.flatMap(({ id, name }) => {
      const taken = sharedName(id);
      return taken === undefined ? [] : [`${taken} as ${name}`];
    });
    const own = predicates.filter(({ id }) => sharedName(id) === undefined).map(({ text }) => text);
    const gives = predicates.filter(({ isExported }) => isExported).map(({ name }) => name);
    const lines = [
      `import { ${imported.join(", ")} } from "../checks.js";`,
      `import { ${takes.join(", ")} } from "../predicates.js";`,
      ...own,
      `export { ${gives.join(", ")} };`,
    ];
    return [path, lines.join("\n")];
  });
  const checks = new Set(sources.flatMap(({ imported }) => imported));
  const functions = [...shared.values()].map(({ id, tokens }) => {
    const [start, ...rest] = tokens.map((token) => (typeof token === "string" ? token : sharedName(token.predicate)));
    return `export ${start} ${sharedName(id)} ${rest.join(" ")}`;
  });
  const head = `import { ${[...checks].join(", ")} } from "./checks.js";`;
  return new Map([...texts, [sharedModule, [head, ...functions].join("\n")]]);
}

/** Groups predicates that behave the same: their texts are equal, and they call equal predicates. */
function classesOf(all: readonly Predicate[]): ReadonlyMap<string, string> {
  let classes = new Map(all.map(({ id }) => [id, ""]));
  for (let count = 0; ;) {
    const names = new Map<string, string>();
    const refined = new Map<string, string>();
    for (const { id, tokens } of all) {
      const key = tokens
        .map((token) => (typeof token === "string" ? token : `\0${classes.get(token.predicate) ?? ""}`))
        .join(" ");
      const name = names.get(key) ?? String(names.size);
      names.set(key, name);
      refined.set(id, name);
    }
    classes = refined;
    if (names.size === count) return classes;
    count = names.size;
  }
}
