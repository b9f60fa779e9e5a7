import type { TypeExpression } from "../../shared/model/source.js";
import { upperFirst } from "../../shared/names/case.js";

/** A free name for a generic type with arguments: `Page` of `Tool` is `PageTool`. */
export function instanceName(generic: string, args: readonly TypeExpression[], taken: ReadonlySet<string>): string {
  const name = generic + args.map(wordOf).join("");
  const isFree = (candidate: string): boolean => candidate !== generic && !taken.has(candidate);
  if (isFree(name)) return name;
  let number = 2;
  while (!isFree(`${name}${number}`)) number++;
  return `${name}${number}`;
}

function wordOf(type: TypeExpression): string {
  switch (type.kind) {
    case "reference":
      return type.name;
    case "primitive":
      return upperFirst(type.name);
    case "literal":
      return String(type.value)
        .split(/[^A-Za-z0-9]+/)
        .map(upperFirst)
        .join("");
    case "array":
      return `${wordOf(type.items)}List`;
    default:
      return "";
  }
}
