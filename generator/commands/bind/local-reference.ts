import { isObject } from "../../shared/is-object.js";
import { UnusableSchema } from "../../shared/schema-code/unusable-schema.js";

/**
 * Resolves a reference within the document.
 * @throws UnusableSchema when it points outside the document, to nothing, or to itself
 */
export function resolveReference(reference: string, root: unknown): unknown {
  let target: unknown = root;
  let next: unknown = reference;
  for (let steps = 0; typeof next === "string"; steps++) {
    if (steps > 100) throw new UnusableSchema("it refers to itself in a circle");
    target = at(next, root);
    next = isObject(target) && onlyRefers(target) ? target["$ref"] : undefined;
  }
  return target;
}

function at(reference: string, root: unknown): unknown {
  const shown = reference.slice(0, 100);
  if (!reference.startsWith("#")) throw new UnusableSchema(`it refers to ${shown}, which is outside the schema`);
  const pointer = decode(reference.slice(1));
  if (pointer !== "" && !pointer.startsWith("/"))
    throw new UnusableSchema(`it refers to ${shown}, which is not a JSON Pointer`);
  const parts = pointer.split("/").slice(1);
  return parts.reduce<unknown>((value, part) => {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(value) ? !/^\d+$/.test(name) : !isObject(value))
      throw new UnusableSchema(`it refers to ${shown}, which does not exist`);
    if (!Object.hasOwn(value as object, name)) throw new UnusableSchema(`it refers to ${shown}, which does not exist`);
    return (value as Record<string, unknown>)[name];
  }, root);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UnusableSchema("a reference is not a valid URI fragment");
  }
}

function onlyRefers(schema: Readonly<Record<string, unknown>>): boolean {
  const others = ["type", "properties", "items", "anyOf", "oneOf", "allOf", "enum", "const"];
  return typeof schema["$ref"] === "string" && !others.some((name) => name in schema);
}
