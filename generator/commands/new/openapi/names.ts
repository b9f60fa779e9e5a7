import { isWindowsName } from "../../../shared/files/windows-names.js";

/** Reserves names that differ in more than case. */
export class NamePool {
  readonly #taken = new Set<string>();

  constructor(taken: Iterable<string> = []) {
    for (const name of taken) this.#taken.add(name.toLowerCase());
  }

  /** The wish, or the wish with the first number that is free. */
  take(wish: string, longest: number): string {
    let name = wish.slice(0, longest);
    for (let number = 2; this.#taken.has(name.toLowerCase()); number++) {
      const suffix = `_${number}`;
      name = wish.slice(0, longest - suffix.length) + suffix;
    }
    this.#taken.add(name.toLowerCase());
    return name;
  }
}

/** The protocol allows 128 characters; several hosts refuse tools and arguments with more than 64. */
export const maxNameLength = 64;

/** `get_pet_by_id` for `getPetById`, and `repos_get` for `repos/get`. Empty for a text without letters and digits. */
export function snakeCase(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .toLowerCase();
}

/** The name of a tool: that of the operation id, or else of method and path. */
export function toolName(operationId: string | undefined, method: string, path: string): string {
  const wish = snakeCase(operationId ?? "");
  if (wish !== "") return wish;
  const ofPath = path.replace(/\{([^{}]*)\}/g, "by $1");
  return snakeCase(`${method} ${ofPath}`);
}

/** The name of an argument: that of the parameter, if hosts accept it. */
export function argumentName(name: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && name.length <= maxNameLength && name !== "__proto__") return name;
  const wish = name.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
  return /^[A-Za-z]/.test(wish) ? wish : `value_${wish}`.replace(/_$/, "");
}

/** The name of a file, without extension. */
export function fileName(text: string): string {
  const name = snakeCase(text).replaceAll("_", "-").slice(0, 60).replace(/-+$/, "");
  return name === "" ? "tools" : isWindowsName(name) ? name : `${name}-tools`;
}
