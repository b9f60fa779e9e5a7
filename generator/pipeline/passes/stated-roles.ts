import type { Declaration, SourceModule } from "../../shared/model/source.js";
import { withNames } from "./declared-names.js";
import { roleUnions } from "./roles.js";
import type { Scope } from "./scope.js";

/** The declaration with which a schema states the id of its extension. Generated code exports the id under the same name. */
export const idDeclaration = "EXTENSION_ID";

/** The id that a schema states as the value of a constant, or as the only value of a type. */
export function statedId({ declarations }: Pick<SourceModule, "declarations">): Declaration | undefined {
  return declarations.find(({ name }) => name === idDeclaration);
}

export function valueOf(declaration: Declaration): unknown {
  if (declaration.kind === "constant") return declaration.value;
  return declaration.kind === "alias" && declaration.type.kind === "literal" ? declaration.type.value : undefined;
}

/** Gives the role unions of an extension names that its revision does not have. */
export function withOwnRoles(module: SourceModule): SourceModule {
  const imported = new Set((module.imports ?? []).map(({ local }) => local));
  const declared = module.declarations.filter(({ name }) => roleUnions.has(name) && !imported.has(name));
  return withNames(module, new Map(declared.map(({ name }) => [name, ownName(name)])));
}

/** Takes the role unions of an extension, under their names in the schema, out of the declarations. */
export function takeRoles(all: Scope): { readonly roles: Scope; readonly scope: Scope } {
  const roles = new Map<string, Declaration>();
  const scope = new Map(all);
  for (const name of roleUnions) {
    const declaration = all.get(ownName(name));
    if (!declaration) continue;
    roles.set(name, { ...declaration, name });
    scope.delete(declaration.name);
  }
  return { roles, scope };
}

function ownName(role: string): string {
  return `${role}OfExtension`;
}
