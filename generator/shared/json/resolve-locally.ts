import { isObject } from "../is-object.js";

type Members = Readonly<Record<string, unknown>>;

/** Resolves the references of a JSON Schema within its document. @returns an empty schema where that is not possible */
export function resolveLocally(member: unknown, root: Members): Members {
  let schema = isObject(member) ? member : {};
  for (let steps = 0; steps < 10 && typeof schema["$ref"] === "string"; steps++) {
    const parts = schema["$ref"].startsWith("#/") ? schema["$ref"].slice(2).split("/") : [];
    const next = parts.reduce<unknown>((value, part) => {
      const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
      return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    }, root);
    schema = isObject(next) && parts.length > 0 ? next : {};
  }
  return schema;
}
