import { fail } from "../../../shared/diagnostics/diagnostic.js";
import { isObject } from "../../../shared/is-object.js";

export type JsonObject = Readonly<Record<string, unknown>>;

/** A value of the description, with the JSON pointer at which it is. */
export interface Located {
  readonly value: JsonObject;
  readonly pointer: string;
}

/** A valid description. References are resolved when they are used, so that recursive ones need no end. */
export class OpenApiDocument {
  /** Whether schemas are those of OpenAPI 3.0, which differ from JSON Schema. */
  readonly isOld: boolean;

  constructor(
    readonly root: JsonObject,
    /** Path or URL, for messages. */
    readonly path: string,
  ) {
    this.isOld = String(root["openapi"]).startsWith("3.0");
  }

  /** The value that a reference names. @throws DiagnosticError openapi-reference-remote, openapi-reference-broken */
  resolve(reference: string, pointer: string): unknown {
    const { path } = this;
    if (!reference.startsWith("#")) return fail("openapi-reference-remote", { path, pointer, reference });
    const found = pointerSegments(reference).reduce<unknown>(memberAt, this.root);
    return found === undefined ? fail("openapi-reference-broken", { path, pointer, reference }) : found;
  }

  /** The object itself, or the one that its `$ref` names. Undefined if it is not an object. */
  follow(value: unknown, pointer: string): Located | undefined {
    let [current, at] = [value, pointer];
    const seen = new Set<string>();
    while (isObject(current) && typeof current["$ref"] === "string") {
      const reference: string = current["$ref"];
      if (seen.has(reference)) return fail("openapi-reference-broken", { path: this.path, pointer, reference });
      seen.add(reference);
      [current, at] = [this.resolve(reference, at), reference];
    }
    return isObject(current) ? { value: current, pointer: at } : undefined;
  }

  /** The member of an object, followed. */
  member(of: Located, name: string): Located | undefined {
    return this.follow(own(of.value, name), `${of.pointer}/${escapePointer(name)}`);
  }

  /** The members of an object that are objects, followed, by name. */
  members(of: Located | undefined): readonly (readonly [name: string, value: Located])[] {
    return Object.keys(of?.value ?? {}).flatMap((name) => {
      const value = of && this.member(of, name);
      return value ? [[name, value] as const] : [];
    });
  }
}

/** An own member, because names of a description can be those of `Object.prototype`. */
export function own(value: JsonObject, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

export function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

export function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

export function pointerSegments(reference: string): readonly string[] {
  return reference
    .slice(1)
    .split("/")
    .slice(1)
    .map((segment) => decode(segment).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function memberAt(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value[Number(name)] as unknown;
  return isObject(value) ? own(value, name) : undefined;
}
