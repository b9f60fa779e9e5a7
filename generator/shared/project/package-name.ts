import { builtinModules } from "node:module";

/** The reason why npm rejects a package name; undefined for a valid name. */
export function packageNameProblem(name: string): string | undefined {
  if (name === "") return "it is empty";
  if (name.length > 214) return "it has more than 214 characters";
  if (name !== name.toLowerCase()) return "it has capital letters";
  if (!/^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(name))
    return "it may only have letters from a to z, digits, - . _ and ~, begin with a letter, a digit, - or ~, and have a scope before it (@scope/name)";
  if (reserved.has(unscoped(name)) || unscoped(name).startsWith("-")) return "it is reserved";
  return undefined;
}

/** The package name without its scope, which is also the name of the command. */
export function unscoped(name: string): string {
  return name.slice(name.indexOf("/") + 1);
}

/** A package name derived from the name of a folder; undefined if none can be derived. */
export function packageNameFrom(folder: string): string | undefined {
  const name = folder
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9._~-]+/g, "-")
    .replace(/^[._-]+|[._-]+$/g, "");
  return packageNameProblem(name) === undefined ? name : undefined;
}

const reserved: ReadonlySet<string> = new Set(["node_modules", "favicon.ico", "package.json", ...builtinModules]);
