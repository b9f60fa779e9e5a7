import type { Declaration, SourceModule } from "./source.js";

/** Finds a declaration by its name. */
export function findDeclaration({ declarations }: SourceModule, name: string): Declaration | undefined {
  return declarations.find((declaration) => declaration.name === name);
}
