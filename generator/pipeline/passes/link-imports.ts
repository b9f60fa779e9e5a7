import { diagnostic, DiagnosticError, formatPlace, type Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import type { Declaration, ImportedName, SourceModule, Span } from "../../shared/model/source.js";
import { referredNames, withNames } from "./declared-names.js";

/** Finds the file of an import; undefined when none is known. */
export type ResolveImport = (specifier: string, from: SourceModule) => SourceModule | undefined;

export interface LinkedModules {
  /** The module itself. Its references have the names of the declarations, and it has no imports. */
  readonly own: SourceModule;
  /** The other files, each with those of its declarations that `own` uses, directly or through other declarations. */
  readonly imported: readonly SourceModule[];
}

/**
 * IMPORTS: finds the declarations of other files that a module uses, and replaces local names by the names of the
 * declarations. Does not check names that are neither declared nor imported.
 * @throws DiagnosticError with every import that has no file, no declaration, a cycle or a collision
 */
export function linkImports(module: SourceModule, resolve: ResolveImport): LinkedModules {
  const linker = new Linker(module, resolve);
  linker.run();
  if (linker.problems.length > 0) throw new DiagnosticError(linker.problems);
  return linker.linked();
}

/** The declarations of all files as one module. */
export function joinModules({ own, imported }: LinkedModules): SourceModule {
  return { ...own, declarations: [own, ...imported].flatMap(({ declarations }) => declarations) };
}

interface Target {
  readonly module: SourceModule;
  readonly declaration: Declaration;
}

class Linker {
  readonly problems: Diagnostic[] = [];
  /** The declarations that are used, by module, in the order in which the modules were reached. */
  private readonly used = new Map<SourceModule, Set<Declaration>>();
  private readonly tables = new Map<SourceModule, ReadonlyMap<string, Declaration>>();
  private readonly unresolved = new Set<string>();

  constructor(
    private readonly root: SourceModule,
    private readonly resolve: ResolveImport,
  ) {}

  run(): void {
    if (this.hasCycle()) return;
    this.used.set(this.root, new Set());
    const pending: Target[] = this.root.declarations.map((declaration) => ({ module: this.root, declaration }));
    for (const named of this.root.imports ?? []) pending.push(...this.exported(this.root, named));
    this.refuseRepeated();
    for (let next = pending.pop(); next; next = pending.pop()) {
      const { module, declaration } = next;
      const used = this.used.get(module) ?? new Set();
      this.used.set(module, used);
      if (used.has(declaration)) continue;
      used.add(declaration);
      for (const name of referredNames(declaration)) pending.push(...this.find(module, name));
    }
    this.refuseCollisions();
  }

  linked(): LinkedModules {
    const [own, ...imported] = [...this.used].map(([module, used]): SourceModule => {
      const { imports = [], ...rest } = module;
      const renamed = imports.flatMap(({ local }): [string, string][] => {
        const [target] = local === "*" ? [] : this.find(module, local);
        return target && target.declaration.name !== local ? [[local, target.declaration.name]] : [];
      });
      const declarations = module.declarations.filter((declaration) => used.has(declaration));
      return { ...rest, declarations: withNames(declarations, new Map(renamed)) };
    });
    return { own: own ?? this.root, imported };
  }

  /** The declaration that a name of a module means; none when the name is neither declared nor imported. */
  private find(module: SourceModule, name: string): readonly Target[] {
    const declaration = this.table(module).get(name);
    if (declaration) return [{ module, declaration }];
    const imports = module.imports ?? [];
    const named = imports.find(({ local }) => local === name);
    if (named) return this.targetOf(module, named);
    for (const all of imports.filter(({ local }) => local === "*")) {
      const target = this.fileOf(module, all);
      const found = target ? this.find(target, name) : [];
      if (found.length > 0) return found;
    }
    return [];
  }

  private targetOf(module: SourceModule, { name, specifier, span }: ImportedName): readonly Target[] {
    const file = this.fileOf(module, { specifier, span });
    if (!file) return [];
    const found = this.find(file, name);
    if (found.length === 0) this.report("import-name-missing", { name, specifier, file: file.file }, span);
    return found;
  }

  /** All that an import or re-export brings into the module. */
  private exported(module: SourceModule, named: ImportedName): readonly Target[] {
    if (named.name !== "*") return this.targetOf(module, named);
    const file = this.fileOf(module, named);
    if (!file) return [];
    const further = (file.imports ?? []).filter(({ reexported }) => reexported);
    return [
      ...file.declarations.map((declaration) => ({ module: file, declaration })),
      ...further.flatMap((other) => this.exported(file, other)),
    ];
  }

  private fileOf(
    module: SourceModule,
    { specifier, span }: Pick<ImportedName, "specifier" | "span">,
  ): SourceModule | undefined {
    const file = this.resolve(specifier, module);
    if (file) return file;
    const key = `${module.file}\0${specifier}`;
    if (!this.unresolved.has(key)) this.report("import-unresolved", { specifier }, span);
    this.unresolved.add(key);
    return undefined;
  }

  private hasCycle(): boolean {
    const done = new Set<SourceModule>();
    const open: SourceModule[] = [];
    const visit = (module: SourceModule): boolean => {
      if (done.has(module)) return false;
      open.push(module);
      for (const { specifier, span } of module.imports ?? []) {
        const file = this.resolve(specifier, module);
        const start = file ? open.indexOf(file) : -1;
        if (start >= 0) {
          const path = [...open.slice(start), open[start]].map((part) => part?.file).join(" -> ");
          this.report("import-cycle", { path }, span);
          return true;
        }
        if (file && visit(file)) return true;
      }
      open.pop();
      done.add(module);
      return false;
    };
    return visit(this.root);
  }

  private refuseRepeated(): void {
    const table = this.table(this.root);
    const seen = new Map<string, ImportedName>();
    for (const named of this.root.imports ?? []) {
      const { local: name, span } = named;
      if (name === "*") continue;
      const first = seen.get(name);
      const [one, other] = first ? [first, named].map((each) => this.targetOf(this.root, each)[0]?.declaration) : [];
      const before = table.get(name)?.span ?? (one === other ? undefined : first?.span);
      if (before) this.report("duplicate-declaration", { name, first: formatPlace(before) }, span);
      seen.set(name, named);
    }
  }

  private refuseCollisions(): void {
    const names = new Map<string, Target>();
    for (const [module, used] of this.used) {
      for (const declaration of used) {
        const other = names.get(declaration.name);
        if (!other) names.set(declaration.name, { module, declaration });
        else if (other.module !== module)
          this.report(
            "import-collision",
            { name: declaration.name, other: formatPlace(declaration.span) },
            other.declaration.span,
          );
      }
    }
  }

  private table(module: SourceModule): ReadonlyMap<string, Declaration> {
    const known = this.tables.get(module);
    if (known) return known;
    const table = new Map(module.declarations.map((declaration) => [declaration.name, declaration]));
    this.tables.set(module, table);
    return table;
  }

  private report(id: Parameters<typeof diagnostic>[0], values: Readonly<Record<string, string>>, span: Span): void {
    const found = diagnostic(id, values, span);
    const known = JSON.stringify(found);
    if (!this.problems.some((other) => JSON.stringify(other) === known)) this.problems.push(found);
  }
}
