import { diagnostic, DiagnosticError, fail, type Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import { isObject } from "../../shared/is-object.js";
import type { Declaration, SourceModule } from "../../shared/model/source.js";
import { JsonLocations, type Repetition } from "../../shared/json/json-locations.js";
import { readFacts } from "./json-objects.js";
import { JsonReader, show, type NamedSchema, type Schema } from "./json-reader.js";
import { TypeReader } from "./json-types.js";

/**
 * READ, JSON Schema: the definitions of a draft-07 or 2020-12 file. Each becomes a declaration that accepts the same
 * values. References to definitions of other files become imports.
 * @param amend corrects the definitions before they are read
 * @throws DiagnosticError with every keyword or reference outside the grammar.
 */
export function readJsonSchema(
  text: string,
  file: string,
  amend: (definitions: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> = (same) => same,
): SourceModule {
  const locations = new JsonLocations(text, file);
  const root = parse(locations);
  const container = isObject(root) ? (["$defs", "definitions"] as const).find((key) => isObject(root[key])) : undefined;
  if (!isObject(root) || container === undefined) return fail("json-not-schema", {}, { file, line: 1, column: 1 });

  const problems: Diagnostic[] = locations.repetitions().map((found) => repeated(found, container));
  const declarations: Declaration[] = [];
  const definitions = amend(root[container] as Schema);
  const named = Object.entries(definitions).flatMap(([name, schema]) => withInner(name, schema, container));
  const reader = new JsonReader(container, root["$schema"], named, locations);
  const types = new TypeReader(reader);
  for (const one of named) {
    try {
      declarations.push(readDeclaration(one, types));
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      problems.push(...error.diagnostics);
    }
  }
  if (problems.length > 0) throw new DiagnosticError(problems);
  const { imports } = reader;
  return { syntax: "json-schema", file, declarations, ...(imports.length > 0 && { imports }) };
}

function parse(locations: JsonLocations): unknown {
  try {
    return JSON.parse(locations.text);
  } catch (error) {
    return fail("json-malformed", { reason: (error as Error).message }, locations.syntaxError(error as Error));
  }
}

function repeated({ pointer, first, second }: Repetition, container: string): Diagnostic {
  const name = pointer.at(-1) ?? "";
  if (pointer.length !== 2 || pointer[0] !== container)
    return diagnostic("duplicate-member", { name, owner: show(pointer.slice(0, -1)) }, second);
  return diagnostic("duplicate-declaration", { name, first: `${first.file}:${first.line}:${first.column}` }, second);
}

/** A definition, and the definitions inside it, whose names begin with its own. */
function withInner(name: string, schema: unknown, container: string): readonly NamedSchema[] {
  const pointer = [container, name];
  const inner = (["$defs", "definitions"] as const).flatMap((keyword) => {
    const found = isObject(schema) ? schema[keyword] : undefined;
    return isObject(found) ? Object.entries(found).map(([own, value]) => ({ own, value, keyword })) : [];
  });
  const named = inner.map(({ own, value, keyword }) => ({
    name: `${name}${own.charAt(0).toUpperCase()}${own.slice(1)}`,
    pointer: [...pointer, keyword, own],
    schema: value,
  }));
  return [{ name, pointer, schema }, ...named];
}

function readDeclaration({ name, pointer, schema: value }: NamedSchema, types: TypeReader): Declaration {
  const schema = types.reader.schema(value, pointer);
  const { text, ...facts } = readFacts(schema, pointer, types);
  const described = { span: types.reader.span(pointer), ...(text !== undefined && { text }), ...facts };
  const type = types.type(schema, pointer, { bounds: "beside" });
  if (type.kind !== "object") return { kind: "alias", name, ...described, type };
  const { members, index } = type;
  return { kind: "interface", name, ...described, heritage: [], members, ...(index && { index }) };
}
