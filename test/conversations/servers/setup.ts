import type { SchemaPair } from "../../../runtime/src/schema/author-schema.js";
import { conversions } from "@mcpwright/protocol/conversions";
import { serverSides } from "@mcpwright/protocol/server-sides";
import type { CoreMcpServerOptions, McpServerOptions } from "../../../runtime/src/server/core.js";

/** How a test configures a server, as JSON. */
export interface ServerSetup {
  /** The revisions that it serves. Default: all. */
  readonly revisions?: readonly string[];
  readonly options?: Partial<McpServerOptions>;
}

/** The options of a server; those of the test take precedence. */
export function optionsOf({ revisions, options }: ServerSetup, own: McpServerOptions = {}): CoreMcpServerOptions {
  const sides = serverSides.filter(({ revision }) => !revisions || revisions.includes(revision));
  return { ...own, ...options, revisions: sides, conversions };
}

type TypeName = "number" | "string" | "boolean";
type Value<Name extends TypeName> = { number: number; string: string; boolean: boolean }[Name];
type Arguments<Fields extends Readonly<Record<string, TypeName>>> = { [Key in keyof Fields]: Value<Fields[Key]> };

/** A schema of an object whose members are all required. */
export function object<const Fields extends Readonly<Record<string, TypeName>>>(
  fields: Fields,
): SchemaPair<Arguments<Fields>> {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, { type }]));
  return {
    jsonSchema: { type: "object", properties, required: Object.keys(fields) },
    validate(value) {
      const members = value as Readonly<Record<string, unknown>>;
      const wrong = Object.entries(fields).filter(([name, type]) => typeof members[name] !== type);
      if (wrong.length === 0) return { value: members as Arguments<Fields> };
      return { issues: wrong.map(([name, type]) => ({ message: `must be a ${type}`, path: [name] })) };
    },
  };
}

/** A tool result with one text block. */
export function text(value: unknown): { content: { type: "text"; text: string }[] } {
  return { content: [{ type: "text", text: String(value) }] };
}
